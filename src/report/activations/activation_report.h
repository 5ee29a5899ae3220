// How a model's layers change the vectors of a text's tokens, as JSON and as bars in a terminal.
// See activation_picture.h for SVG.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "inside/activations.h"

namespace headlight {

/// One object: model, text, pair, tokens, "norms": [state][token], "change": [layer][token] (null
/// for a layer that changes the width), "similarity": [state][token][token]. State 0 is the output
/// of the embedding.
void write_activations(JsonWriter& json, const TextActivations& report);

/// The activations of one model or two on one text, here and below: the object of
/// write_activations(), or {"models": [one, the other]}; as a line.
std::string activation_json(const std::vector<TextActivations>& models, bool ascii);

/// A block of bars for each state, one line per token; two models side by side.
std::string activation_text(const std::vector<TextActivations>& models);

/// "embedding", "layer 0", …
std::string state_name(std::size_t state);

}  // namespace headlight
