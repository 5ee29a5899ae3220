// Split in a tokenizer.json: splits at the matches of a pattern.
#pragma once

#include <string>
#include <utility>

#include "text/splitters/pattern.h"
#include "text/splitters/splitter.h"

namespace headlight {

class PatternSplit : public SplitStep {
 public:
  /// `invert`: the text that does not match is the separator.
  PatternSplit(Pattern pattern, Separators behavior, bool invert)
      : pattern_(std::move(pattern)), behavior_(behavior), invert_(invert) {}
  void apply(SplitText& split) const override;
  std::string name() const override { return "Split"; }

 private:
  Pattern pattern_;
  Separators behavior_;
  bool invert_;
};

}  // namespace headlight
