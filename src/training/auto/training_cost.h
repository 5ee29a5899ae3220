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
  std::size_t tokens = 0;  // of all rows
  std::size_t labels = 0;  // outputs of the last layer
};
TrainingSize size_of(const std::vector<LabelledRow>& rows, const LabelSet& labels);

struct TrainingCost {
  double seconds = 0.0;
  double rows_per_second = 0.0;  // of the model that it makes
};

/// Of a new last layer on the vectors of `start`.
TrainingCost cost_of_last_layer(const Model& start, const TrainingSize& size);
/// Of one beside n-grams.
TrainingCost cost_of_label_ngrams(const Model& start, const TrainingSize& size);
/// Of all weights of `start`.
TrainingCost cost_of_all(const Model& start, const TrainingSize& size, std::size_t epochs);
/// Of its encoder by contrast, then of a last layer.
TrainingCost cost_of_contrast(const Model& start, const TrainingSize& size);
/// Of a model without layers.
TrainingCost cost_of_static(const TrainingSize& size);

/// Bytes of the weights of a model that was made from `start`, or has no layers.
std::size_t weight_bytes(const Model& made, const Model& start);

}  // namespace headlight
