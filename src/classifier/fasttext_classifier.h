// The classifier of a file of fastText: the labels, their order and their probabilities are those
// of fastText's own command.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "classifier/classifier.h"
#include "classifier/fasttext_reader.h"

namespace headlight {

/// What all labels begin with in the file, which their names lack.
std::string fasttext_prefix(const FasttextModel& model, const std::vector<std::string>& names);

/// Probabilities are at most 1.00001, as fastText prints them, unless another activation or a
/// temperature is chosen. A text without any row has no label.
class FasttextClassifier : public TextClassifier {
 public:
  /// The model is a file of fastText with labels, and must outlive it.
  FasttextClassifier(const Model& model, const ClassifierOptions& options);

  using TextClassifier::classify;
  std::vector<Prediction> classify(std::span<const TextInput> inputs, ScoringScratch& scratch,
                                   const StopCheck& stopped) const override;
  const LabelSet& labels() const override { return labels_; }
  /// Whether the loss is no hierarchical softmax.
  bool adds_words() const override;
  /// Each word's own row, its n-grams of characters and an equal share of each n-gram of words.
  std::vector<WordEffect> effects_of(const TextInput& input) const override;

 private:
  Prediction predict(const TextInput& input, FasttextScratch& scratch) const;

  const FasttextModel& model_;
  ClassifierOptions options_;
  LabelSet labels_;
  /// Instead of the scores of fastText.
  std::optional<ScoreActivation> activation_;
  double temperature_ = 1.0;
};

}  // namespace headlight
