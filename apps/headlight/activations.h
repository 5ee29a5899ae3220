// attention --activations: what each layer does to the vectors of a text's tokens, of one model or
// of two side by side.
#pragma once

#include <string>

#include "engine_options.h"
#include "options.h"
#include "text_options.h"

namespace headlight {

/// What else was typed.
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
  /// After the options that these do not go together with.
  void add_to(CLI::App& command);
  bool wanted() const { return wanted_; }

  /// Loads, reads, writes, and gives the exit status. Throws UsageError for a format of the output
  /// that activations do not have.
  int run(const ActivationJob& job) const;

 private:
  bool wanted_ = false;
  std::string other_;
};

}  // namespace headlight
