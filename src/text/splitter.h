// Pre-tokenization: the normalized text cut into words. A list of steps; each cuts every piece that
// the one before it left, and may rewrite the text too (what byte-level tokenizers do).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "text/normalized_text.h"

namespace headlight {

/// A text and its pieces, which are not empty, rise and don't overlap.
struct SplitText {
  NormalizedText text;
  std::vector<Span> pieces;
};

class SplitStep {
 public:
  SplitStep() = default;
  SplitStep(const SplitStep&) = delete;
  SplitStep& operator=(const SplitStep&) = delete;
  virtual ~SplitStep() = default;

  virtual void apply(SplitText& split) const = 0;
  virtual std::string name() const = 0;
};

/// The steps in their order; none: the whole text is one piece.
class Splitter {
 public:
  void add(std::unique_ptr<const SplitStep> step) { steps_.push_back(std::move(step)); }
  /// `split.pieces` begins as what is to be cut further.
  void apply(SplitText& split) const;
  std::string name() const;

 private:
  std::vector<std::unique_ptr<const SplitStep>> steps_;
};

/// What becomes of the characters that separate.
enum class Separators : std::uint8_t {
  removed,
  isolated,
  merged_with_previous,
  merged_with_next,
  contiguous
};

/// BERT: cut at white space, which goes, and around each punctuation character.
class BertSplit : public SplitStep {
 public:
  void apply(SplitText& split) const override;
  std::string name() const override { return "BertPreTokenizer"; }
};

/// Cut at white space, which goes.
class WhiteSpaceSplit : public SplitStep {
 public:
  void apply(SplitText& split) const override;
  std::string name() const override { return "WhitespaceSplit"; }
};

/// `\w+|[^\w\s]+`: runs of word characters and runs of others, white space goes.
class WordSplit : public SplitStep {
 public:
  void apply(SplitText& split) const override;
  std::string name() const override { return "Whitespace"; }
};

/// Cut at BERT's punctuation.
class PunctuationSplit : public SplitStep {
 public:
  explicit PunctuationSplit(Separators behavior) : behavior_(behavior) {}
  void apply(SplitText& split) const override;
  std::string name() const override { return "Punctuation"; }

 private:
  Separators behavior_;
};

}  // namespace headlight
