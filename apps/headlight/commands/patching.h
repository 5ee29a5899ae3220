// attention --verdicts and --patch: where in the model a verdict is decided.
#pragma once

#include "commands/attention.h"

namespace headlight {

/// Both return the exit status. They throw Error if the model labels no texts, and TextError if a
/// text cannot be scored.
int show_verdicts(const AttentionCommand& command, const Model& model);
int show_patching(const AttentionCommand& command, const Model& model);

}  // namespace headlight
