// Replace of a tokenizer.json: every match of a pattern becomes the same string.
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
  /// All of the content has the origin of the last character of the match, or, where the match is
  /// empty, of the one before it.
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "replace"; }

 private:
  Pattern pattern_;
  std::u32string content_;
};

}  // namespace headlight
