#include "text/files/vocabulary_file.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/file.h"
#include "base/utf8.h"
#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

/// The line (well-formed UTF-8) without the white space at its end.
std::string_view trimmed(std::string_view line) {
  if (line.empty() || (line.back() > ' ' && line.back() <= '~')) return line;
  std::size_t end = 0;
  for (std::size_t at = 0; at < line.size();) {
    const Decoded decoded = *decode_utf8(line, at);
    at += decoded.bytes;
    if (!is_white_space(decoded.code_point)) end = at;
  }
  return line.substr(0, end);
}

}  // namespace

std::vector<std::string> split_vocabulary(std::string_view content) {
  std::vector<std::string> tokens;
  while (!content.empty()) {
    const std::size_t end = content.find('\n');
    tokens.emplace_back(trimmed(content.substr(0, end)));
    content = end == std::string_view::npos ? std::string_view() : content.substr(end + 1);
  }
  return tokens;
}

std::vector<std::string> read_vocabulary(const std::string& path) {
  const MappedFile file(path);
  if (const auto bad = find_bad_utf8(file.text())) {
    throw Error(path, "not valid UTF-8 at byte " + std::to_string(*bad));
  }
  std::vector<std::string> tokens = split_vocabulary(file.text());
  if (std::ranges::all_of(tokens, &std::string::empty)) {
    throw Error(path, "contains no tokens", "a vocab.txt has one token per line");
  }
  return tokens;
}

}  // namespace headlight
