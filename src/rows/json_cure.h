// What makes JSONL of a file with other JSON.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// The command, by the first line of `file`, which is no row and may be "-"; empty: none is known.
std::string json_cure(std::string_view line, const std::string& file);

/// The command for a file of one object whose rows are the list in this field.
std::string json_cure_of_list(const std::string& field, const std::string& file);

}  // namespace headlight
