// What `headlight fit` says about its rows and its result.
#pragma once

#include <string>

#include "model/model.h"
#include "options/options.h"
#include "options/row_options.h"
#include "options/training_options.h"
#include "report/training/fit_report.h"
#include "training/rows/training_data.h"

namespace headlight {

struct FitSummary {
  const TrainingOptions& options;
  const RowOptions& rows;
  const CLI::App& command;
  const Console& console;

  /// Notes about the rows.
  void say_data(const TrainingData& data) const;
  /// The report of a training on `data` that begins with the model `start`.
  FitReport begin_report(const TrainingData& data, const Model& start) const;
  /// The result on standard output.
  void print(const FitReport& report) const;
};

/// How messages name an input.
std::string shown_input(const std::string& file);

}  // namespace headlight
