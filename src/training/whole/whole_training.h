// Trains all weights of a model as a plan says.
#pragma once

#include "gradient/parameters.h"
#include "training/fit.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

struct WholeTraining {
  const FitPlan& plan;
  Origin origin;  // of the model, with the files that were read; that of the checkpoint
  bool is_fresh;  // the weights are random
  FitWatch& watch;

  /// Leaves the best weights in `parameters` and completes `made`. A signal stops the run, which is
  /// said. Throws Error.
  FitEnd run(Parameters& parameters, const LabelledRows& rows, Fit& made) const;
};

/// The state of a stopped run.
std::string checkpoint_of(const FitPlan& plan);

}  // namespace headlight
