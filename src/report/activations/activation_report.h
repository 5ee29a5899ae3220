// What a model's layers do to the vectors of a text's tokens, as JSON and as bars in a terminal; a
// picture of it is in activation_picture.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "classifier/text_classifier.h"
#include "metrics/activations.h"

namespace headlight {

/// Of one model and one text.
struct ActivationReport {
  std::string model_name;
  TextInput input;
  std::vector<std::string> tokens;  // n
  Activations activations;
};

/// One object: model, text, pair, tokens, "norms": [state][token], "change": [layer][token] (null
/// for a layer that changes the width), "similarity": [state][token][token]. State 0 is after the
/// embedding.
void write_activations(JsonWriter& json, const ActivationReport& report);
/// {"models": [one's, the other's]}
void write_activations(JsonWriter& json, const ActivationReport& report,
                       const ActivationReport& other);

/// A block of bars for each state, a line a token.
std::string activation_text(const ActivationReport& report);
/// The same of two models, side by side.
std::string activation_text(const ActivationReport& report, const ActivationReport& other);

/// "embedding", "layer 0", …
std::string state_name(std::size_t state);

}  // namespace headlight
