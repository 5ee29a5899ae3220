// Trains all weights of a model on labelled rows by back-propagation. Rows, options, seed and the
// weights at the start determine every bit of the result, whatever the number of threads, and
// whether the run was stopped and resumed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gradient/backward.h"
#include "gradient/parameters.h"
#include "training/course/course.h"
#include "training/rows/labelled_rows.h"
#include "training/settings.h"

namespace headlight {

struct TrainOptions : CourseOptions {
  float weight_decay = 0.01F;    // not for biases and norms
  double clip = 1.0;             // longest gradient; 0: no limit
  float dropout = 0.1F;          // probability, also for attention weights
  std::size_t batch_tokens = 0;  // 0: usual_batch_tokens()
};

/// `usual` with what the settings say of them.
TrainOptions planned_options(const CourseSettings& settings, TrainOptions usual);

/// For a model with random weights: until the development score stalls, at most 50 epochs.
TrainOptions options_from_scratch(const Description& model);
/// For a model with trained weights: 3 epochs with a lower learning rate.
TrainOptions options_for_tuning(const Description& model);

/// Random weights to train: those of `headlight init`, but the token embeddings are divided by
/// embedding_scale, so that they have the size of the positions that are added to them.
Parameters random_start(const Description& model, std::uint64_t seed);

/// Trains `parameters` and leaves the best state in them, as run_course() does. Throws Error.
TrainingOutcome train(Parameters& parameters, const LabelledRows& rows, const TrainOptions& options,
                      const TrainWatch& watch);

/// Rows with any loss.
struct RowsToTrain {
  const std::vector<LabelledRow>& train;
  const std::vector<LabelledRow>& dev;
  std::function<Loss(std::span<const std::uint32_t> chosen)> loss;  // of these of `train`
  /// Of `train`: up to four rows of a label then are in a batch together.
  std::vector<std::uint32_t> labels = {};
};
TrainingOutcome train(Parameters& parameters, const RowsToTrain& rows, const TrainOptions& options,
                      const TrainWatch& watch);

}  // namespace headlight
