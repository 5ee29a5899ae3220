// `headlight fit --train all`: trains all weights by back-propagation.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "gradient/parameters.h"
#include "math/number_format.h"
#include "model/model.h"
#include "options.h"
#include "report/training/fit_report.h"
#include "training/labelled_rows.h"
#include "training/trainer.h"
#include "training_options.h"
#include "training_progress.h"

namespace headlight {

/// Options of training all weights. What is empty depends on the start.
struct WholeTrainingOptions {
  std::optional<std::size_t> epochs;
  std::optional<float> learning_rate;
  std::optional<std::size_t> batch_tokens;
  std::optional<std::size_t> vocabulary_size;
  std::optional<std::size_t> feed_forward_size;
  std::string keep_layers;  // numbers such as 0,2-4; empty: all
  std::optional<float> dropout;
  bool keep_last = false;  // not the best state
  float label_smoothing = 0.0F;
  std::string teacher_logits;  // a field of the rows; empty: none
  float temperature = 2.0F;
  float teacher_share = 0.8F;
  std::string teacher_vectors;  // an NPY file; empty: none
  NumberFormat stored_as = NumberFormat::f32;

  void add_to(CLI::App& command);
  /// Throws UsageError if an option needs --train all, and it is not used, or if it needs a start
  /// with weights.
  void check(bool is_used, bool is_bare) const;
  /// Throws UsageError for options that need labels, where only a teacher's vectors are learned.
  void check_without_labels(const TrainingOptions& training) const;
};

/// How a run ended.
enum class TrainingEnd : std::uint8_t { finished, stopped, stopped_at_once };

struct WholeTraining {
  const TrainingOptions& options;
  const WholeTrainingOptions& whole;
  const Console& console;
  StatusLine::Style progress;

  /// What is trained: weights, and the model that reads texts for them.
  struct Start {
    const Model& model;
    bool is_fresh;  // random weights
  };
  /// Leaves the best weights in `parameters` and completes the report. `origin` names the command
  /// and the files; a run of another origin cannot be resumed. Throws Error.
  TrainingEnd run(const Start& start, Parameters& parameters, const LabelledTexts& texts,
                  Origin origin, FitReport& report) const;
  /// Whether there is a stopped run to resume.
  bool can_resume() const;
  /// Deletes the checkpoint.
  void clean() const;

 private:
  TrainOptions options_for(const Start& start, const LabelledRows& rows) const;
  std::string checkpoint() const { return directory_name(options.output) + ".checkpoint"; }
};

}  // namespace headlight
