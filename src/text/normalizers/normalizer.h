// Normalization as a list of small steps, each over the whole text. A normalizer of a
// tokenizer.json is one or several of them; a new one is a class here and a line in
// json_normalizer.cpp.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "text/normalizers/normal_form.h"
#include "text/normalizers/normalized_text.h"

namespace headlight {

class NormalizerStep {
 public:
  NormalizerStep() = default;
  NormalizerStep(const NormalizerStep&) = delete;
  NormalizerStep& operator=(const NormalizerStep&) = delete;
  virtual ~NormalizerStep() = default;

  virtual void apply(NormalizedText& text) const = 0;
  /// What it does, in a few words for people.
  virtual std::string name() const = 0;
};

/// The steps in their order; none: the text stays as it is.
class Normalizer {
 public:
  void add(std::unique_ptr<const NormalizerStep> step) { steps_.push_back(std::move(step)); }
  void apply(NormalizedText& text) const;
  /// "clean, lowercase"; empty where there are no steps.
  std::string name() const;

 private:
  std::vector<std::unique_ptr<const NormalizerStep>> steps_;
};

/// BERT's switches, in the order in which they act.
struct BertNormalizerSettings {
  bool clean_text = true;
  bool handle_chinese_chars = true;
  bool strip_accents = true;
  bool lowercase = true;
};

void add_bert_steps(Normalizer& normalizer, const BertNormalizerSettings& settings);

/// Removes controls, makes white space blanks.
class CleanText : public NormalizerStep {
 public:
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "clean"; }
};

/// A blank before and after each Chinese character, both of that character's origin.
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

/// BERT's strip_accents: decomposes, then drops nonspacing marks.
class StripBertAccents : public NormalizerStep {
 public:
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "strip accents"; }
};

/// The reference's StripAccents: drops all marks, and decomposes nothing.
class DropMarks : public NormalizerStep {
 public:
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "drop marks"; }
};

/// Each character's full lower case on its own, whatever stands around it.
class Lowercase : public NormalizerStep {
 public:
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "lowercase"; }
};

/// Takes white space off the ends.
class StripEnds : public NormalizerStep {
 public:
  StripEnds(bool left, bool right) : left_(left), right_(right) {}
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "strip ends"; }

 private:
  bool left_;
  bool right_;
};

/// Puts a string before a text that is not empty; it has the origin of the text's first character.
class Prepend : public NormalizerStep {
 public:
  explicit Prepend(std::u32string prefix) : prefix_(std::move(prefix)) {}
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "prepend"; }

 private:
  std::u32string prefix_;
};

/// Nmt: SentencePiece's way to remove controls and make some characters blanks.
class CleanNmt : public NormalizerStep {
 public:
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "Nmt"; }
};

/// Removes BERT's punctuation characters. Ours: no tokenizer.json has it.
class RemovePunctuation : public NormalizerStep {
 public:
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "remove punctuation"; }
};

}  // namespace headlight
