// vocab.txt, as the reference's fast reader takes it.
#pragma once

#include <string>
#include <vector>

namespace headlight {

/// The words of a vocab.txt, one a line: white space at a line's end is not part of the token,
/// blank lines count. Throws Error where the file cannot be read, is not UTF-8 or has no words.
std::vector<std::string> read_vocabulary(const std::string& path);

}  // namespace headlight
