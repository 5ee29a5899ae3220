// Trains all weights of a model on labelled rows by back-propagation. Rows, options, seed and the
// weights at the start determine every bit of the result, whatever the number of threads, and
// whether the run was stopped and resumed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradient/backward.h"
#include "gradient/parameters.h"
#include "rows/origin.h"
#include "training/rows/labelled_rows.h"
#include "training/whole/development.h"
#include "training/whole/optimizer.h"
#include "training/whole/row_losses.h"

namespace headlight {

struct TrainOptions {
  std::uint64_t seed = 0;
  std::size_t epochs = 50;       // the maximum
  std::size_t patience = 10;     // stop after so many development scores without progress: a
                                 // higher score, or a lower loss; 0: never
  std::size_t evaluations = 1;   // development scores per epoch
  bool keep_last = false;        // the last state instead of the best
  float learning_rate = 1e-3F;   // the highest
  double warmup = 0.06;          // share of the training during which the learning rate rises
  float weight_decay = 0.01F;    // not for biases and norms
  double clip = 1.0;             // longest gradient; 0: no limit
  float dropout = 0.1F;          // probability, also for attention weights
  std::size_t batch_tokens = 0;  // 0: usual_batch_tokens()
  RowLossOptions loss;

  std::string log;         // a file of JSON lines; empty: none
  bool force = false;      // replaces an existing log
  std::string checkpoint;  // a file to resume from; empty: none. Its directory must exist.
  double checkpoint_seconds = 120.0;
  bool resume = false;  // continue from the checkpoint, if there is one
  Origin origin;        // of the result; a run of another origin cannot be resumed
};

/// A step of a training of all weights.
class WeightStep {
 public:
  /// Of the options, reads seed, dropout, weight_decay and clip. `parameters` must outlive it.
  WeightStep(Parameters& parameters, const TrainOptions& options);

  /// Changes the weights by the loss of these of the rows, after `step` others. Returns the loss.
  /// Throws Error if it is not finite.
  double take(const std::vector<LabelledRow>& rows, std::span<const std::uint32_t> chosen,
              std::uint64_t step, const Loss& loss, float rate);
  AdamW& optimizer() { return optimizer_; }

 private:
  Parameters& parameters_;
  Dropout dropout_;
  double clip_;
  std::vector<float> gradients_;
  AdamW optimizer_;
  Backpropagation backpropagation_;
  Batch batch_;
};

/// For a model with random weights: until the development score stalls, at most 50 epochs.
TrainOptions options_from_scratch(const Description& model);
/// For a model with trained weights: 3 epochs with a lower learning rate.
TrainOptions options_for_tuning(const Description& model);

/// Random weights to train: those of `headlight init`, but the token embeddings are divided by
/// embedding_scale, so that they have the size of the positions that are added to them.
Parameters random_start(const Description& model, std::uint64_t seed);

/// Where a training is, after each step.
struct TrainingReport {
  std::uint64_t step = 0;       // steps done
  double epoch = 0.0;           // epochs done, such as 1.25
  std::size_t epochs = 0;       // the maximum
  std::size_t rows = 0;         // rows done in all epochs
  std::size_t rows_before = 0;  // those of an earlier run
  double loss = 0.0;            // mean of the rows of the step
  double learning_rate = 0.0;
  const DevelopmentScore* latest = nullptr;  // nullptr: there are no development rows
  const DevelopmentScore* best = nullptr;
};

struct TrainWatch {
  std::function<void(const TrainingReport&)> report;  // may be empty
  std::function<bool()> stopped;  // true: write a checkpoint and end; may be empty
};

struct TrainingOutcome {
  bool stopped = false;  // by TrainWatch::stopped, before the end
  std::uint64_t steps = 0;
  double epochs = 0.0;                   // done
  double kept_epoch = 0.0;               // when the returned weights were reached
  std::optional<DevelopmentScore> best;  // empty: there are no development rows
  std::size_t batch_tokens = 0;          // of a batch
  std::optional<DevelopmentScore> latest = {};
};

/// Trains `parameters` and leaves the best state in them, also if the run was stopped: the one with
/// the highest development score, or the last one with TrainOptions::keep_last or if there are no
/// development rows. The state at the start counts. The caller removes the checkpoint when the
/// result is stored. Throws Error.
TrainingOutcome train(Parameters& parameters, const LabelledRows& rows, const TrainOptions& options,
                      const TrainWatch& watch);

}  // namespace headlight
