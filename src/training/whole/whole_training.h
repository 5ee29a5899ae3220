// Trains all weights of a model as a plan says.
#pragma once

#include "gradient/parameters.h"
#include "training/fit.h"
#include "training/rows/labelled_rows.h"
#include "training/whole/trainer.h"

namespace headlight {

/// `usual` with what the plan says of them.
TrainOptions planned_options(const FitPlan& plan, TrainOptions usual);

struct WholeTraining {
  const FitPlan& plan;
  Origin origin;  // of the model, with the files that were read; that of the checkpoint
  bool is_fresh;  // the weights are random
  FitWatch& watch;

  /// Leaves the best weights in `parameters` and completes `made`. A signal stops the run, which is
  /// said. Throws Error.
  FitEnd run(Parameters& parameters, const LabelledRows& rows, Fit& made) const;
};

}  // namespace headlight
