// Trains a model without layers: the vectors of tokens and n-grams, and the last layer. A step
// changes only the vectors that its rows have, so that large tables cost little. Rows, options and
// the weights at the start determine every bit of the result, whatever the number of threads, and
// whether the run was stopped and resumed.
#pragma once

#include <cstddef>

#include "gradient/parameters.h"
#include "training/course/course.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

/// The vectors learn by Adagrad (Duchi et al. 2011, "Adaptive Subgradient Methods for Online
/// Learning and Stochastic Optimization"), the last layer by AdamW.
struct StaticOptions : CourseOptions {
  StaticOptions() {
    epochs = 20;
    patience = 0;
    scores_start = false;
    learning_rate = 0.03F;
    warmup = 0.0;
    rate_at = 0.0;
    steps_per_line = 0;
  }

  std::size_t batch_rows = 32;
  float dropout = 0.2F;        // share of the tokens and n-grams that a step leaves out of a row
  float ngram_rate = 0.3F;     // of n-grams, as a share of the learning rate
  float weight_decay = 0.01F;  // of the vectors of a step
  float epsilon = 1e-3F;       // holds back the first steps of rare vectors
};

/// The number of epochs and the rows of a batch for this number of rows.
StaticOptions static_options(std::size_t rows);
/// And what suits words with n-grams of their characters.
StaticOptions static_options_of_characters(std::size_t rows, std::size_t labels);

/// Trains `parameters` of a model with n-grams and leaves the best state in them, as run_course()
/// does. Throws Error.
TrainingOutcome train_static(Parameters& parameters, const LabelledRows& rows,
                             const StaticOptions& options, const TrainWatch& watch);

}  // namespace headlight
