// `headlight fit --train all`: trains all weights by back-propagation.
#pragma once

#include <cstddef>
#include <string>

#include "gradient/parameters.h"
#include "model/model.h"
#include "options/options.h"
#include "options/training_options.h"
#include "options/whole_training_options.h"
#include "report/training/fit_report.h"
#include "terminal/training_progress.h"
#include "training/rows/labelled_rows.h"
#include "training/whole/trainer.h"

namespace headlight {

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

 private:
  TrainOptions options_for(const Start& start, const LabelledRows& rows) const;
  std::string checkpoint() const { return directory_name(options.output) + ".checkpoint"; }
};

}  // namespace headlight
