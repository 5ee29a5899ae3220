// The attention of texts, in any format: what the command shows without another view.
#pragma once

#include "commands/attention.h"

namespace headlight {

/// Returns the exit status. Throws UsageError if the format has no room for all texts.
int show_attention(const AttentionCommand& command, const Engine& engine, const Model& model);

}  // namespace headlight
