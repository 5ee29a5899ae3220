// How a model's layers change the vectors of a text's tokens, as JSON and as bars in a terminal.
// See activation_picture.h for SVG.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "classifier/text_classifier.h"
#include "inside/activations.h"

namespace headlight {

/// The activations of one model on one text.
struct ActivationReport {
  std::string model_name;
  TextInput input;
  std::vector<std::string> tokens;  // n
  Activations activations;
};

/// One object: model, text, pair, tokens, "norms": [state][token], "change": [layer][token] (null
/// for a layer that changes the width), "similarity": [state][token][token]. State 0 is the output
/// of the embedding.
void write_activations(JsonWriter& json, const ActivationReport& report);
/// {"models": [report, other]}
void write_activations(JsonWriter& json, const ActivationReport& report,
                       const ActivationReport& other);

/// A block of bars for each state, one line per token.
std::string activation_text(const ActivationReport& report);
/// The same for two models, side by side.
std::string activation_text(const ActivationReport& report, const ActivationReport& other);

/// "embedding", "layer 0", …
std::string state_name(std::size_t state);

}  // namespace headlight
