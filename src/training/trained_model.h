// What a training makes, before it is written.
#pragma once

#include <functional>
#include <memory>

#include "model/engine.h"
#include "model/model.h"
#include "rows/origin.h"
#include "training/directory/model_directory.h"
#include "training/fit.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

/// What all trainings of a run share. The references must outlive it.
struct TrainingRun {
  const FitPlan& plan;
  const Engine& engine;
  FitWatch& watch;
  Origin origin;  // of the model, with the files that were read
};

struct TrainedModel {
  Fit made;           // `end` says whether there is a model
  LabelledRows rows;  // as the model reads them
  std::shared_ptr<const Model> model;
  std::function<void(ModelDirectory&)> write_files;  // the config, the weights and the tokenizer
  /// Divides the last layer, in a layout whose other readers know no temperature.
  std::function<void(float temperature)> divide_logits = {};
};

}  // namespace headlight
