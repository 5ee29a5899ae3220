// The classifier of a model of counted features, such as a pipeline of scikit-learn.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "classifier/classifier.h"
#include "sparse/sparse_model.h"

namespace headlight {

class SparseClassifier : public TextClassifier {
 public:
  /// The features of the model are a SparseModel. It must outlive this.
  SparseClassifier(const Model& model, const ClassifierOptions& options);

  using TextClassifier::classify;
  std::vector<Prediction> classify(std::span<const TextInput> inputs, ScoringScratch& memory,
                                   const StopCheck& stopped) const override;
  const LabelSet& labels() const override { return labels_; }
  /// Cuts between characters of scripts without blanks, whose words are not known.
  TextReaches reach_of(const TextInput& input) const override;
  bool adds_words() const override { return true; }
  /// Of what white space and reach_of() separate: an equal share of each n-gram that a word has a
  /// part of.
  std::vector<WordEffect> effects_of(const TextInput& input) const override;

 private:
  Prediction predict(const TextInput& input, SparseScratch& scratch) const;

  const SparseModel& model_;
  bool finds_equal_;  // see ReadingOptions
  LabelSet labels_;
  std::optional<ScoreActivation> activation_;  // in place of the model's own
  double temperature_ = 1.0;
};

}  // namespace headlight
