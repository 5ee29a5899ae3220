// The predictions for a text with only some of its words. Each set of words is scored once.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "classifier/explanation.h"

namespace headlight {

/// One flag per word.
using KeptWords = std::vector<bool>;

/// The kept words, joined by one blank; a pair if `like` is one.
TextInput text_with(const std::vector<ExplainedWord>& words, const TextInput& like,
                    const KeptWords& kept);

class WordSubsets {
 public:
  /// Splits `input` into words. Throws TextError for invalid UTF-8. All references must outlive it.
  WordSubsets(const TextClassifier& classifier, const TextInput& input,
              const ExplanationWatch& watch);

  const std::vector<ExplainedWord>& words() const { return words_; }
  std::size_t size() const { return words_.size(); }
  KeptWords all() const { return KeptWords(size(), true); }
  KeptWords none() const { return KeptWords(size(), false); }
  /// The text with all words.
  TextInput whole_text() const { return text_with(words_, input_, all()); }

  /// Scores the sets that were not scored yet. Returns false if it was stopped. Throws TextError if
  /// one cannot be scored.
  bool score(std::span<const KeptWords> sets);
  /// Of a set that was scored.
  const Prediction& at(const KeptWords& kept) const { return known_.at(kept); }
  std::size_t scored() const { return known_.size(); }

 private:
  void check(const KeptWords& kept, const Prediction& prediction) const;

  const TextClassifier& classifier_;
  const TextInput& input_;
  const ExplanationWatch& watch_;
  std::vector<ExplainedWord> words_;
  std::unordered_map<KeptWords, Prediction> known_;
  ScoringScratch scratch_;
};

}  // namespace headlight
