// What makes UTF-8 of a file in another encoding.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// The command, by what the bytes look like: "iconv -f WINDOWS-1252 -t UTF-8 FILE". `bad` is not
/// UTF-8; `file` may be "-". It is a guess.
std::string encoding_cure(std::string_view bad, const std::string& file);

}  // namespace headlight
