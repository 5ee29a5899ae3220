// headlight explain --input FILE: an explanation for each row of a file.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "options/engine_options.h"
#include "options/method_options.h"
#include "options/options.h"
#include "options/row_options.h"
#include "options/run_options.h"
#include "options/text_options.h"
#include "options/zero_shot_options.h"

namespace headlight {

/// --input, --words, the options of rows, --resume, --on-error, --max-errors, --row-errors-ok
class ExplainedRowsOptions {
 public:
  void add_to(CLI::App& command);

  bool given() const { return rows_.has_input(); }
  const ProgressOptions& progress() const { return run_.progress; }

  struct Job {
    const MethodOptions& method;
    const TextOptions& text;
    const ZeroShotOptions& zero_shot;
    const OutputOptions& output;
    const Console& console;
  };
  /// Throws UsageError if an option does not apply to the rows or to the summary.
  void check() const;
  /// Returns the exit status.
  int run(const Job& job, const Engine& engine, Model loaded) const;

 private:
  /// Whether the summary is JSON. Throws UsageError if its name ends like another format.
  bool is_json() const;
  /// Writes the summary after a run with this status, and returns the status then. Reads the
  /// finished rows again, because some may be of an earlier run.
  int sum_up(const OutputOptions& output, int status) const;

  RowOptions rows_;
  RunOptions run_;
  std::string words_;  // the file of the summary; empty: none
};

}  // namespace headlight
