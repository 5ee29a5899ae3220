// What the tests of this room share: results as strings, so that a failed check can be read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "text/encoding.h"
#include "text/normalizers/normalized_text.h"

namespace headlight {

inline std::string joined(const std::vector<std::string>& words, const std::string& between = "|") {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
  return all;
}

/// "[CLS]|un|##able|[SEP]"
inline std::string tokens_of(const Encoding& encoding) { return joined(encoding.tokens); }

/// "0-0 0-2 2-6 0-0"
inline std::string offsets_of(const Encoding& encoding) {
  std::vector<std::string> offsets;
  for (const auto& [begin, end] : encoding.offsets) {
    offsets.push_back(std::to_string(begin) + "-" + std::to_string(end));
  }
  return joined(offsets, " ");
}

inline std::string numbers_of(const std::vector<TokenId>& numbers) {
  std::vector<std::string> words;
  for (const TokenId number : numbers) words.push_back(std::to_string(number));
  return joined(words, " ");
}

/// "-00-1-": which text each token came from, - for none.
inline std::string sequences_of(const Encoding& encoding) {
  std::string all;
  for (const Sequence sequence : encoding.sequences) {
    all += sequence == Sequence::none ? '-' : sequence == Sequence::first ? '0' : '1';
  }
  return all;
}

inline NormalizedText normalized_text(std::string_view text) { return {to_code_points(text), 0}; }

}  // namespace headlight
