// Reads vocab.txt like the reference's fast tokenizers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// The words of a vocab.txt, one per line. White space at the end of a line is not part of the
/// token. Blank lines count. Throws Error if the file cannot be read, is not UTF-8 or has no words.
std::vector<std::string> read_vocabulary(const std::string& path);
/// The same of the file's content, well-formed UTF-8, which may have no words.
std::vector<std::string> split_vocabulary(std::string_view content);

}  // namespace headlight
