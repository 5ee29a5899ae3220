// The predictions for a text with only some of its words that are read; words behind the last token
// read are in none of these texts.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "inside/explanation.h"

namespace headlight {

/// One flag per word that is read.
using KeptWords = std::vector<bool>;

class WordSubsets {
 public:
  static constexpr std::size_t kMostWords = 8192;

  /// Throws TextError as read_words() does, or if more than kMostWords are read. All references
  /// must outlive it.
  WordSubsets(const TextClassifier& classifier, const TextInput& input,
              const ExplanationWatch& watch);

  const WordsRead& text() const { return text_; }
  /// The number of words that are read.
  std::size_t size() const { return text_.read.size(); }
  KeptWords all() const { return KeptWords(size(), true); }
  KeptWords none() const { return KeptWords(size(), false); }

  /// Scores the sets whose predictions are not known. Returns false if it was stopped. Throws
  /// TextError if one cannot be scored.
  bool score(std::span<const KeptWords> sets);
  /// Of all words once they were scored, and of the sets of the last score(). Others may be
  /// forgotten.
  const Prediction& at(const KeptWords& kept) const { return known_.at(kept); }

 private:
  TextInput text_of_set(const KeptWords& kept) const;
  void check(const KeptWords& kept, const Prediction& prediction) const;

  const TextClassifier& classifier_;
  const TextInput& input_;
  const ExplanationWatch& watch_;
  WordsRead text_;
  std::size_t scored_ = 0;
  std::unordered_map<KeptWords, Prediction> known_;
  ScoringScratch scratch_;
};

}  // namespace headlight
