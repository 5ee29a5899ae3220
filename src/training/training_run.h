// One run of a training.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "model/engine.h"
#include "rows/origin.h"
#include "training/directory/output_place.h"
#include "training/head/head_fitting.h"
#include "training/rows/training_data.h"
#include "training/watch.h"

namespace headlight {

/// What was chosen before, in place of the settings of a way.
struct Settled {
  std::optional<std::size_t> epochs;
  std::optional<double> penalty;
  bool keeps_last = false;  // not the best state
};

/// The references must outlive it.
struct TrainingRun {
  OutputPlace place;
  const DataOptions& data;
  const Engine& engine;
  FitWatch& watch;
  Origin origin;          // of the model, with the files that were read
  std::string rows_file;  // as messages name it
  ClassWeights class_weights = ClassWeights::none;
  Settled settled = {};
};

}  // namespace headlight
