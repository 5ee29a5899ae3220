// attention --activations: what each layer does to the token vectors of a text, for one model or
// for two models side by side.
#pragma once

#include "commands/attention.h"

namespace headlight {

/// Returns the exit status. Throws TextError if the text cannot be scored.
int show_activations(const AttentionCommand& command, const Engine& engine, const Model& model);

}  // namespace headlight
