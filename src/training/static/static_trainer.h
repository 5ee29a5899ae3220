// Trains a model without layers: the vectors of tokens and n-grams, and the last layer. A step
// changes only the vectors that its rows have, so that large tables cost little. Rows, options and
// the weights at the start determine every bit of the result, whatever the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gradient/parameters.h"
#include "training/rows/labelled_rows.h"
#include "training/whole/development.h"
#include "training/whole/row_losses.h"
#include "training/whole/trainer.h"

namespace headlight {

/// The vectors learn by Adagrad (Duchi et al. 2011, "Adaptive Subgradient Methods for Online
/// Learning and Stochastic Optimization"), the last layer by AdamW.
struct StaticOptions {
  std::uint64_t seed = 0;
  std::size_t epochs = 20;
  std::size_t batch_rows = 32;
  float learning_rate = 0.03F;  // at the start; it falls to 0
  float dropout = 0.2F;         // share of the tokens and n-grams that a step leaves out of a row
  float ngram_rate = 0.3F;      // of n-grams, as a share of the learning rate
  float weight_decay = 0.01F;   // of the vectors of a step
  float epsilon = 1e-3F;        // holds back the first steps of rare vectors
  bool keep_last = false;       // the last state instead of the best
  RowLossOptions loss;
};

/// The number of epochs and the rows of a batch for this number of rows.
StaticOptions static_options(std::size_t rows);

/// Trains `parameters` of a model with n-grams on rows.train. Leaves the best state on the
/// development rows in them, or the last one if there are none. `watch` is asked after each batch
/// whether to stop, and told of each epoch. Throws Error.
TrainingOutcome train_static(Parameters& parameters, const LabelledRows& rows,
                             const StaticOptions& options, const TrainWatch& watch);

}  // namespace headlight
