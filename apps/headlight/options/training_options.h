// Options of `headlight fit`: what is learned, from which rows, how, and where the model goes.
#pragma once

#include <string>

#include "options/options.h"
#include "options/row_options.h"
#include "training/fit.h"

namespace headlight {

struct TrainingOptions : FitPlan {
  std::string dev_file;  // a file of development rows; empty: held out
  bool is_json = false;
  bool accepts_build = false;
  bool errors_ok = false;

  /// Whether labels or numbers are learned. Without, the model learns the vectors of a teacher and
  /// is an encoder alone.
  bool has_labels(const RowOptions& rows) const;
  /// Adds the options. `rows` must have been added before.
  void add_to(CLI::App& command);
  /// Throws UsageError for options of the rows or of these that exclude each other, or that need
  /// labels.
  void check(const RowOptions& rows) const;
  /// Throws UsageError if an option needs --train all, or a start with weights.
  void check_whole(bool is_bare) const;

 private:
  void add_data(CLI::App& command);
  void add_method(CLI::App& command);
  void add_course(CLI::App& command);
  void add_teachers(CLI::App& command);
  void add_cuts(CLI::App& command);
  void add_output(CLI::App& command);
};

/// The command line that makes the same model: all given options except those that only change how
/// the run is shown or continued. The output is named without its folder.
std::string training_command(const CLI::App& command, const std::string& rows, const FitPlan& plan);

}  // namespace headlight
