// A cache of the results of recent texts, because files often repeat texts.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "text/encoding.h"

namespace headlight {

/// Keeps recent texts with at least kTokens tokens in total, and at most twice as many. kNumbers
/// numbers of a result count as one token, because a vector needs more memory than its text.
class RecentTexts {
 public:
  static constexpr std::size_t kTokens = 65536;
  static constexpr std::size_t kNumbers = 16;

  /// The result of a text with the same tokens, or nullptr; valid until the next call.
  const std::vector<float>* find(const TokenIds& text);
  void add(const TokenIds& text, std::span<const float> result);

 private:
  using Texts = std::unordered_map<std::u32string, std::vector<float>>;

  Texts young_;
  Texts old_;  // replaced by young_ when that is full
  std::size_t young_tokens_ = 0;
  std::u32string key_;
};

}  // namespace headlight
