// headlight attention --live and explain --live: one page with the model in it.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "options/engine_options.h"
#include "options/options.h"
#include "options/text_options.h"
#include "report/attention/live_page.h"

namespace headlight {

/// What is asked of both commands.
struct LiveCommand {
  Console console;
  ModelOptions model;
  TextOptions text;
  OutputOptions output;
  EngineOptions engine;
  bool is_live = false;
  NumberFormat stored = NumberFormat::f16;  // matrices of float32

  /// --live, --store
  void add_live_to(CLI::App& command);
  /// Returns the exit status. The text of `start` comes from the command line; `compared` names the
  /// second model, if it is not empty. Throws Error if this build has no module for pages, or if a
  /// model does not fit in one.
  int write_live_page(LiveStart start, const std::string& compared = "") const;
};

}  // namespace headlight
