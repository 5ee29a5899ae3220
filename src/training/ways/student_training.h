// Makes a model without layers of an encoder: with its tokenizer, and the vectors that it gives its
// tokens.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "training/head/classifier_start.h"
#include "training/ways/static_training.h"

namespace headlight {

/// With at most kMostNgramLabels labels, the vectors stay as they are, and a last layer with
/// n-grams beside it is fitted: fewer numbers to learn, and the best ones are found. N-grams of
/// more labels would be too many weights, a teacher's logits need steps, and n-grams of characters
/// are parts of a mean: then StaticTraining begins with the vectors.
class StudentTraining : public StaticTraining {
 public:
  StudentTraining(Model encoder, const StaticSettings& settings);

  Origin::Facts marks() const override { return marks_of_files(files_); }
  Learned learn(const TrainingRun& run, LabelledRows rows) override;
  const Model& model() const override {
    return fitted_ ? fitted_->model() : StaticTraining::model();
  }
  void write(ModelDirectory& directory) const override;

 private:
  /// Empty if stopped. `size`: numbers of a vector.
  std::optional<std::vector<float>> vectors_of(const TrainingRun& run, const LabelledRows& rows,
                                               std::size_t size);
  /// On the mean of the vectors.
  Learned fit_last_layer(const TrainingRun& run, LabelledRows rows);

  ModelPlace place_;   // of the encoder
  std::size_t width_;  // of its vectors
  std::vector<std::string> files_;
  std::string teacher_;              // a field of the rows; or empty
  NumberFormat format_;              // of a fitted one
  std::optional<Int8Table> tokens_;  // if it is of 8 bits
  std::optional<ClassifierStart> fitted_;
  std::optional<Parameters> rounded_;  // if it is of 16 bits
};

}  // namespace headlight
