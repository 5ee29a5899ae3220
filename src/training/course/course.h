// The course of a training: a loop over epochs with a learning rate, development scores, the best
// or the last state, a log and a checkpoint. A training gives it its step. Rows, options and the
// state at the start determine every bit of the result, whether the run was stopped and resumed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradient/parameters.h"
#include "rows/origin.h"
#include "training/course/batches.h"
#include "training/course/checkpoint.h"
#include "training/course/development.h"
#include "training/course/row_losses.h"
#include "training/course/training_log.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

struct CourseOptions {
  std::uint64_t seed = 0;
  std::size_t epochs = 50;      // the maximum
  std::size_t patience = 10;    // stop after so many development scores without progress: a
                                // higher score, or a lower loss; 0: never
  std::size_t evaluations = 1;  // development scores per epoch
  bool scores_start = true;     // also before the first step
  bool keep_last = false;       // the last state instead of the best
  float learning_rate = 1e-3F;  // the highest
  double warmup = 0.06;         // share of the training during which the learning rate rises
  double rate_at = 0.5;         // the learning rate is that after this share of a step's rows
  bool counts_rows = false;     // epochs done are a quotient of rows, rates are logged in float64
  std::size_t steps_per_line = 10;  // of the log, which also has a line for each score; 0: lines
                                    // and reports are of whole epochs
  RowLossOptions loss = {};

  std::string log = {};         // a file of JSON lines; empty: none
  LogPart log_before = {};      // what another course of the run has written of it
  bool force = false;           // replaces an existing log
  std::string checkpoint = {};  // a file to resume from; empty: none. Its directory must exist.
  double checkpoint_seconds = 120.0;
  bool resume = false;  // continue from the checkpoint, if there is one
  Origin origin = {};   // of the result; a run of another origin cannot be resumed
};

/// What a training does with a batch, and what it remembers beside the weights.
class CourseStep {
 public:
  CourseStep() = default;
  virtual ~CourseStep() = default;
  CourseStep(const CourseStep&) = delete;
  CourseStep& operator=(const CourseStep&) = delete;

  /// All rows. No epoch before the last one is asked for again.
  virtual EpochBatches batches(std::uint64_t epoch) = 0;
  /// Changes the weights by the loss of these rows, `at` the state before. Returns the mean loss.
  /// Throws Error if it is not finite.
  virtual double take(std::span<const std::uint32_t> chosen, const TrainingState& at,
                      float rate) = 0;
  /// What a checkpoint keeps beside the weights.
  virtual CheckpointBlocks state() = 0;
  /// After state() was read: so many steps were taken.
  virtual void resume(std::uint64_t steps) = 0;
};

struct TrainWatch {
  std::function<void(const TrainingReport&)> report;  // may be empty
  std::function<bool()> stopped;  // asked after each step; true: write a checkpoint and end; may be
                                  // empty
};

struct TrainingOutcome : TrainingState {
  bool stopped = false;          // by TrainWatch::stopped, before the end
  double epochs = 0.0;           // done
  double kept_epoch = 0.0;       // when the returned weights were reached
  std::size_t batch_tokens = 0;  // of a batch, in a training of all weights
};

/// Takes steps and leaves the best state in `parameters`, also if the run was stopped: the one with
/// the highest score of the rows `dev`, or the last one with CourseOptions::keep_last or if there
/// are none. A course that wrote or read a checkpoint leaves its end there, too. The caller removes
/// it when the result is stored. Throws Error.
TrainingOutcome run_course(Parameters& parameters, const std::vector<LabelledRow>& dev,
                           CourseStep& step, const CourseOptions& options, const TrainWatch& watch);

/// The share of the highest learning rate when `done` (0 to 1) of the training is done: it rises
/// during the first `warmup`, then falls to 0, both linearly. `done` is that at the end of the
/// step.
double learning_rate_share(double done, double warmup);

}  // namespace headlight
