// headlight evaluate with a model that labels tokens: precision, recall and F1 of entities.
#pragma once

#include "options/evaluate_options.h"

namespace headlight {

/// Returns the exit status. Throws UsageError or Error.
int evaluate_entities(const EvaluateOptions& options, const Engine& engine, Model loaded);

}  // namespace headlight
