// What is asked of headlight explain.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "commands/explain_rows.h"
#include "options/engine_options.h"
#include "options/method_options.h"
#include "options/options.h"
#include "options/text_options.h"
#include "options/zero_shot_options.h"

namespace headlight {

struct ExplainCommand {
  Console console;
  ModelOptions model;
  TextOptions text;
  ZeroShotOptions zero_shot;
  EngineOptions engine;
  ExplainedRowsOptions rows;
  OutputOptions output;
  MethodOptions method;
  std::optional<std::size_t> top_k;

  bool is_json() const;
  /// The explanation of a text in the format of the output.
  std::string document(const Model& shown_model, const LabelSet& labels, const TextInput& input,
                       const Explanation& explanation) const;
};

}  // namespace headlight
