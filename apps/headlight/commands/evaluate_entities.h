// headlight evaluate with a model that labels tokens: precision, recall and F1 of entities.
#pragma once

#include "commands/command.h"
#include "options/engine_options.h"
#include "options/label_map.h"
#include "options/options.h"
#include "options/row_options.h"
#include "options/text_options.h"
#include "options/token_label_options.h"
#include "terminal/progress.h"

namespace headlight {

/// The options of the command.
struct EntityEvaluationJob {
  const RowOptions& rows;
  const LabelMap& label_map;
  const TextOptions& text;
  const TokenLabelOptions& token_labels;
  const ProgressOptions& progress;
  const OutputOptions& output;
  const Console& console;
  bool row_errors_ok;
};

/// Returns the exit status. Throws UsageError or Error.
int evaluate_entities(const EntityEvaluationJob& job, const Engine& engine, Model loaded);

}  // namespace headlight
