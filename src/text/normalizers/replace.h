// Replace in a tokenizer.json: replaces every match of a pattern by the same string.
#pragma once

#include <string>
#include <utility>

#include "text/normalizers/normalizer.h"
#include "text/splitters/pattern.h"

namespace headlight {

class Replace : public NormalizerStep {
 public:
  Replace(Pattern pattern, std::u32string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}
  /// The replacement has the origin of the last character of the match, or, if the match is empty,
  /// of the character before it.
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "replace"; }
  bool keeps_words_apart() const override { return pattern_.is_within_words(); }

 private:
  Pattern pattern_;
  std::u32string content_;
};

}  // namespace headlight
