// Makes a model without layers from rows: its words, sizes and course are chosen by them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gradient/parameters.h"
#include "math/table.h"
#include "training/course/planned_course.h"
#include "training/ways/fresh_training.h"

namespace headlight {

/// Vectors of tokens and of n-grams, of 8 bits.
struct Int8Vectors {
  explicit Int8Vectors(const Weights& from)
      : tokens(from.embeddings.token), ngrams(from.embeddings.ngrams) {}
  void replace(Weights& weights) const;

  Int8Table tokens;
  Int8Table ngrams;
};

class StaticTraining : public FreshTraining {
 public:
  /// What is chosen by the rows.
  struct Choices {
    bool sizes = false;  // the number of n-grams
    bool words = false;  // word pieces or whole words
  };

  StaticTraining(FreshModel fresh, StaticSettings settings, Choices choices)
      : FreshTraining(std::move(fresh)), settings_(std::move(settings)), choices_(choices) {}

  Origin::Facts marks() const override;
  void read_again(LabelledRows& rows) override;
  /// If the development rows were held out, the model is trained again on all rows.
  Learned learn(const TrainingRun& run, LabelledRows rows) override;
  void write(ModelDirectory& directory) const override;

 protected:
  std::vector<float> vectors_;  // of the tokens [V, d], to begin with; empty: random ones

 private:
  struct Trained;
  /// The last step before training: labels and sizes of these rows.
  void prepare(const LabelledRows& rows);
  /// Empty if stopped.
  std::optional<Trained> train(const TrainingRun& run, const LabelledRows& rows,
                               std::optional<std::size_t> epochs);
  /// Leaves the best one of word pieces, whole words and those with n-grams of characters, with the
  /// rows as it reads them. Empty if stopped.
  std::optional<Trained> choose(const TrainingRun& run, LabelledRows& rows);
  /// To the format of the files.
  void round(Parameters& parameters);

  StaticSettings settings_;
  NumberFormat stored_as_ = NumberFormat::f32;
  Choices choices_;
  LogPart log_;              // of the courses so far
  std::size_t courses_ = 0;  // their number
  // The weights of the model.
  std::optional<Parameters> parameters_;
  std::optional<Int8Vectors> int8_;
};

}  // namespace headlight
