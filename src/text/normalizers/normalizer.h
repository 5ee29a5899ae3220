// Normalization as a list of small steps, each applied to the whole text. A normalizer of a
// tokenizer.json is one or more steps. A new one is a class here and a line in json_normalizer.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "text/normalizers/normal_form.h"
#include "text/normalizers/normalized_text.h"
#include "text/splitters/pattern.h"

namespace headlight {

/// How far away in a text something may stand on which the new characters of a place depend: within
/// a character of ASCII, or other characters that follow each other; within a word, where single
/// spaces between visible characters of ASCII separate words, and stay; the same, but also on the
/// ends of the text; anywhere.
enum class Reach : std::uint8_t { character, word, ends, text };

class NormalizerStep {
 public:
  NormalizerStep() = default;
  NormalizerStep(const NormalizerStep&) = delete;
  NormalizerStep& operator=(const NormalizerStep&) = delete;
  virtual ~NormalizerStep() = default;

  virtual void apply(NormalizedText& text) const = 0;
  /// A short description for the user.
  virtual std::string name() const = 0;
  virtual Reach reach() const { return Reach::character; }
};

/// The steps in order. Without steps, the text does not change.
class Normalizer {
 public:
  void add(std::unique_ptr<const NormalizerStep> step) { steps_.push_back(std::move(step)); }
  void add_first(std::unique_ptr<const NormalizerStep> step) {
    steps_.insert(steps_.begin(), std::move(step));
  }
  void apply(NormalizedText& text) const;
  /// For example "clean, lowercase"; empty without steps.
  std::string name() const;
  /// The farthest of the steps.
  Reach reach() const;
  bool is_empty() const { return steps_.empty(); }

 private:
  std::vector<std::unique_ptr<const NormalizerStep>> steps_;
};

/// BERT's settings, in the order in which they apply.
struct BertNormalizerSettings {
  bool clean_text = true;
  bool handle_chinese_chars = true;
  bool strip_accents = true;
  bool lowercase = true;
};

void add_bert_steps(Normalizer& normalizer, const BertNormalizerSettings& settings);

/// Removes control characters, and replaces white space by spaces.
class CleanText : public NormalizerStep {
 public:
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "clean"; }
};

/// Inserts a space before and after each Chinese character, with the origin of that character.
class SpaceChinese : public NormalizerStep {
 public:
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "space Chinese"; }
};

/// NFD, NFKD, NFC or NFKC of Unicode 9.0.
class ToNormalForm : public NormalizerStep {
 public:
  explicit ToNormalForm(NormalForm form) : form_(form) {}
  void apply(NormalizedText& text) const override;
  std::string name() const override;

 private:
  NormalForm form_;
};

/// BERT's strip_accents: decomposes, then removes nonspacing marks.
class StripBertAccents : public NormalizerStep {
 public:
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "strip accents"; }
};

/// The reference's StripAccents: removes all marks, without decomposition.
class DropMarks : public NormalizerStep {
 public:
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "drop marks"; }
};

/// Replaces each character by its full lower case, independent of its context.
class Lowercase : public NormalizerStep {
 public:
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "lowercase"; }
};

/// Removes white space at the ends.
class StripEnds : public NormalizerStep {
 public:
  StripEnds(bool left, bool right) : left_(left), right_(right) {}
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "strip ends"; }
  // White space at the right end is a part of the last word.
  Reach reach() const override { return left_ ? Reach::ends : Reach::word; }

 private:
  bool left_;
  bool right_;
};

/// Inserts a string before a non-empty text, with the origin of the first character of the text.
class Prepend : public NormalizerStep {
 public:
  explicit Prepend(std::u32string prefix) : prefix_(std::move(prefix)) {}
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "prepend"; }
  Reach reach() const override { return Reach::ends; }

 private:
  std::u32string prefix_;
};

/// Nmt: removes control characters and replaces some characters by spaces, as SentencePiece does.
class CleanNmt : public NormalizerStep {
 public:
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "Nmt"; }
};

/// Removes BERT's punctuation characters. Our own step: it does not exist in tokenizer.json.
class RemovePunctuation : public NormalizerStep {
 public:
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "remove punctuation"; }
  Reach reach() const override { return Reach::word; }
};

/// Replaces every match of a pattern by the same string.
class Replace : public NormalizerStep {
 public:
  Replace(Pattern pattern, std::u32string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}
  /// The replacement has the origin of the last character of the match, or, if the match is empty,
  /// of the character before it.
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "replace"; }
  Reach reach() const override;

 private:
  Pattern pattern_;
  std::u32string content_;
};

}  // namespace headlight
