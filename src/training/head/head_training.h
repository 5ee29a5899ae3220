// Trains a new last layer for a model, on the vectors of its encoder.
#pragma once

#include "training/fit.h"
#include "training/head/classifier_start.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

struct HeadTraining {
  const FitPlan& plan;
  const Engine& engine;
  FitWatch& watch;
  /// Whether nothing is trained after it: it writes the log, and in the end it is fitted to
  /// development rows that were held out, too.
  bool is_last;

  /// Gives `start` a last layer for the rows and completes `made`. Returns false if a signal
  /// stopped the run, which was said; the vectors so far are kept beside the output. Throws Error.
  bool run(ClassifierStart& start, const LabelledRows& rows, Fit& made) const;
};

}  // namespace headlight
