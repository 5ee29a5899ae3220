// Pre-tokenization: splits the normalized text into words. A list of steps; each splits the pieces
// of the previous step, and may rewrite the text (as byte-level tokenizers do).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "text/normalizers/normalized_text.h"
#include "text/splitters/pattern.h"
#include "text/splitters/word_cuts.h"

namespace headlight {

/// A text and its pieces, which are not empty, in order and do not overlap.
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
  /// Where pieces end in every text: none depends on what stands behind such a cut or before it.
  /// There are some at spaces, or none.
  virtual WordCuts cuts() const { return {}; }
};

/// The steps in order. Without steps, the whole text is one piece.
class Splitter {
 public:
  void add(std::unique_ptr<const SplitStep> step) { steps_.push_back(std::move(step)); }
  /// `split.pieces` are the pieces to split.
  void apply(SplitText& split) const;
  std::string name() const;
  bool is_single() const { return steps_.size() == 1; }
  /// As of a step: the later ones cut only the pieces of the first.
  WordCuts cuts() const { return steps_.empty() ? WordCuts() : steps_.front()->cuts(); }

 private:
  std::vector<std::unique_ptr<const SplitStep>> steps_;
};

/// Rewrites the text, piece by piece, without gaps: `write(old, piece, text)` appends the new text
/// of a piece, which must not be empty.
template <typename Write>
void rewrite_pieces(SplitText& split, Write write) {
  SplitText rewritten;
  rewritten.text.begin = split.text.begin;
  rewritten.text.reserve(split.text.size() + split.pieces.size());
  rewritten.pieces.reserve(split.pieces.size());
  for (const Span piece : split.pieces) {
    const auto begin = static_cast<std::uint32_t>(rewritten.text.size());
    write(split.text, piece, rewritten.text);
    rewritten.pieces.push_back({begin, static_cast<std::uint32_t>(rewritten.text.size())});
  }
  split = std::move(rewritten);
}

/// Inserts `prefix` before each piece that does not begin with it, if `is_chosen(origin)` is true
/// for the first character of the piece. The prefix has the origin of that character.
template <typename IsChosen>
void prefix_pieces(SplitText& split, char32_t prefix, IsChosen is_chosen) {
  rewrite_pieces(split, [&](const NormalizedText& old, Span piece, NormalizedText& text) {
    const bool has_prefix = old.characters[piece.begin] == prefix;
    if (!has_prefix && is_chosen(old.origin_of(piece.begin))) {
      text.push_back(prefix, old.origins[piece.begin]);
    }
    for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
      text.push_back(old.characters[i], old.origins[i]);
    }
  });
}

/// What happens to separators.
enum class Separators : std::uint8_t {
  removed,
  isolated,
  merged_with_previous,
  merged_with_next,
  contiguous
};

/// Those of steps that remove white space.
constexpr WordCuts blank_cuts() {
  return WordCuts()
      .add(group::kAll, group::kSpace | group::kLineBlanks)
      .add(group::kLineBlanks, group::kAscii)
      .add(group::kSpace, group::kAll);
}

/// BERT: splits at white space, which is removed, and around each punctuation character.
class BertSplit : public SplitStep {
 public:
  void apply(SplitText& split) const override;
  std::string name() const override { return "BertPreTokenizer"; }
  WordCuts cuts() const override {
    return blank_cuts()
        .joins(group::kVisible)
        .add(group::kAscii, group::kPunctuation)
        .add(group::kPunctuation, group::kAscii);
  }
};

/// Splits at white space, which is removed.
class WhiteSpaceSplit : public SplitStep {
 public:
  void apply(SplitText& split) const override;
  std::string name() const override { return "WhitespaceSplit"; }
  WordCuts cuts() const override { return blank_cuts().joins(group::kVisible); }
};

/// `\w+|[^\w\s]+`: runs of word characters and runs of others; white space is removed.
class WordSplit : public SplitStep {
 public:
  void apply(SplitText& split) const override;
  std::string name() const override { return "Whitespace"; }
  WordCuts cuts() const override { return blank_cuts().joins(group::kLetters | group::kDigits); }
};

/// Splits at numbers: around each digit, or into runs of digits and runs of others.
class DigitsSplit : public SplitStep {
 public:
  explicit DigitsSplit(bool individual) : individual_(individual) {}
  void apply(SplitText& split) const override;
  std::string name() const override { return "Digits"; }

 private:
  bool individual_;
};

/// Splits at one character, which is removed.
class DelimiterSplit : public SplitStep {
 public:
  explicit DelimiterSplit(char32_t delimiter) : delimiter_(delimiter) {}
  void apply(SplitText& split) const override;
  std::string name() const override { return "CharDelimiterSplit"; }

 private:
  char32_t delimiter_;
};

/// Before which pieces Metaspace inserts its replacement.
enum class PrependScheme : std::uint8_t { always, first, never };

/// SentencePiece's spaces: each becomes `replacement` (▁) and begins a piece.
///
///     "a  b" → ▁a | ▁ | ▁b
class Metaspace : public SplitStep {
 public:
  /// `first`: only before a piece at the beginning of the text. Without `cut`, pieces are not
  /// split.
  Metaspace(char32_t replacement, PrependScheme scheme, bool cut)
      : replacement_(replacement), scheme_(scheme), cut_(cut) {}
  void apply(SplitText& split) const override;
  std::string name() const override { return "Metaspace"; }
  WordCuts cuts() const override { return cut_ ? WordCuts::at_single_spaces() : WordCuts(); }

 private:
  char32_t replacement_;
  PrependScheme scheme_;
  bool cut_;
};

/// Splits at BERT's punctuation.
class PunctuationSplit : public SplitStep {
 public:
  explicit PunctuationSplit(Separators behavior) : behavior_(behavior) {}
  void apply(SplitText& split) const override;
  std::string name() const override { return "Punctuation"; }

 private:
  Separators behavior_;
};

/// Splits at the matches of a pattern.
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
