// headlight explain TEXT: an explanation for each text of the command line.
#pragma once

#include "commands/explain.h"

namespace headlight {

/// Returns the exit status.
int explain_texts(const ExplainCommand& command, const Engine& engine, Model loaded);

}  // namespace headlight
