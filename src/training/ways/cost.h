// What trainings cost on a reference machine, by counts alone: two threads of an AMD EPYC (Zen 4)
// with AVX-512. The rates are rounded from trainings on the data sets of `scripts/bench fit`.
#pragma once

#include <cstddef>

#include "model/model.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

/// Counts of rows to train on.
struct TrainingSize {
  std::size_t rows = 0;
  std::size_t tokens = 0;      // of all rows
  std::size_t labels = 0;      // outputs of the last layer
  bool has_one_label = false;  // a row
  bool has_other = false;      // numbers to predict, or pairs of texts

  double of_a_label() const { return static_cast<double>(rows) / static_cast<double>(labels); }
  /// Of one label a row: too few for all weights or for n-grams.
  bool is_few() const { return has_one_label && of_a_label() <= 32.0; }
};
TrainingSize size_of(const std::vector<LabelledRow>& rows, const LabelSet& labels);

/// Times that the rows are read while a last layer is fitted.
inline constexpr double kFits = 400.0;

struct TrainingCost {
  double seconds = 0.0;
  double rows_per_second = 0.0;  // of the model that it makes
};

/// Of a new last layer on the vectors of `start`.
TrainingCost cost_of_last_layer(const Model& start, const TrainingSize& size);
/// Of all weights of `start`.
TrainingCost cost_of_all(const Model& start, const TrainingSize& size, std::size_t epochs);

/// Bytes of the weights of a model that was made from `start`, or has no layers.
std::size_t weight_bytes(const Model& made, const Model& start);

}  // namespace headlight
