// A cache of the logits of recent texts, because files often repeat texts.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "text/encoding.h"

namespace headlight {

/// Keeps recent texts with at least kTokens tokens in total, and at most twice as many; with more
/// logits than tokens, that many logits.
class RecentTexts {
 public:
  static constexpr std::size_t kTokens = 65536;

  /// The logits of a text with the same tokens, or nullptr; valid until the next call.
  const std::vector<float>* find(const TokenIds& text);
  void add(const TokenIds& text, std::span<const float> logits);

 private:
  using Texts = std::unordered_map<std::u32string, std::vector<float>>;

  Texts young_;
  Texts old_;  // replaced by young_ when that is full
  std::size_t young_tokens_ = 0;
  std::u32string key_;
};

}  // namespace headlight
