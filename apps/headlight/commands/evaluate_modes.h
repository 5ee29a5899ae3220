// How evaluate scores the rows: a mode is one row of a table, and one file of src/measuring/ways.
#pragma once

#include <CLI/CLI.hpp>

#include "measuring/ways/ways.h"
#include "options/evaluate_options.h"

namespace headlight {

struct EvaluateMode {
  const char* option;    // asks for it; empty: the rows are scored, and nothing else
  const char* excludes;  // besides the other modes
  bool in_one_pass;      // it cannot average windows
  MeasuringWay (*way)(const EvaluateOptions& options, const MeasuredModels& models);
};

/// Rules between the modes, and between them and others. Must be called after all options.
void add_mode_rules_to(CLI::App& command);

/// The way that the command line asks for, with models that may not be prepared yet. Throws
/// UsageError or Error.
MeasuringWay measuring_way(const CLI::App& command, const EvaluateOptions& options,
                           const MeasuredModels& models);

}  // namespace headlight
