// attention --activations: what each layer does to the token vectors of a text, for one model or
// for two models side by side. --compare also applies to the page of attention.
#pragma once

#include <string>

#include "options/engine_options.h"
#include "options/options.h"
#include "options/text_options.h"

namespace headlight {

/// The other options of the command line.
struct ActivationJob {
  const ModelOptions& model;
  const TextOptions& text;
  const EngineOptions& engine_options;
  const OutputOptions& output;
  const Console& console;
};

/// --activations, --compare
class ActivationOptions {
 public:
  void add_to(CLI::App& command);
  bool wanted() const { return wanted_; }
  /// The second model; empty: none.
  const std::string& other() const { return other_; }

  /// Runs the command and returns the exit status.
  int run(const ActivationJob& job) const;

 private:
  bool wanted_ = false;
  std::string other_;
};

}  // namespace headlight
