// Trains a new last layer for a model, on the vectors of its encoder.
#pragma once

#include <string>

#include "training/head/classifier_start.h"
#include "training/learned.h"
#include "training/settings.h"
#include "training/training_run.h"

namespace headlight {

/// Of at most so many training rows, folds choose the strength of the penalty, so that rows that
/// were held out have chosen nothing that they measure. More leave the choice to the latter.
inline constexpr std::size_t kMostFoldedRows = 2000;

struct HeadTraining {
  const TrainingRun& run;
  const HeadSettings& settings;
  /// Whether nothing is trained after it: it writes the log, and in the end it is fitted to
  /// development rows that were held out, too.
  bool is_last;
  bool with_ngrams = false;   // and what n-grams add to its logits
  std::string cut = {};       // what is left out of the start, which changes its vectors
  bool keeps_vectors = true;  // beside the output, for a run that goes on

  /// Gives `start` a last layer for made.rows and completes `made`. Returns false if a signal
  /// stopped the run, which was said; the vectors so far are kept beside the output. Throws Error.
  bool fit(ClassifierStart& start, Learned& made) const;
};

}  // namespace headlight
