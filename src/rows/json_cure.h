// What makes JSONL of a file with other JSON.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// The command, by the first line of `file`, which may be "-", or by the first element of its
/// array. It is no row. Empty: none is known.
std::string json_cure(std::string_view line, const std::string& file, bool is_array = false);

/// The command for a file of one object whose rows are the list in this field.
std::string json_cure_of_list(const std::string& field, const std::string& file);

}  // namespace headlight
