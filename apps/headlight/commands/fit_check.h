// headlight fit FILE --check OUT: lists rows whose label is probably wrong.
#pragma once

#include <functional>

#include "options/run_options.h"
#include "options/training_options.h"

namespace headlight {

struct FitCheck {
  const CLI::App& command;
  const RowOptions& rows;
  const TrainingOptions& plan;
  const ProgressOptions& progress;
  const Console& console;
  const Engine& engine;

  /// Returns the exit status. Throws UsageError for options that --check does not have.
  int run(const std::function<FitStart()>& load_start) const;
};

}  // namespace headlight
