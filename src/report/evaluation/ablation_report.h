// What each part of a model is worth, as JSON, text and a section of a page.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "metrics/ablation.h"

namespace headlight {

/// "ablation": [{"part", "layer", "head", "rows", "accuracy_change", "accuracy_change_interval",
/// "log_loss_change", "log_loss_change_interval", "verdicts_changed", "logit_change"}, …]; "head"
/// only for heads, "mse_change" and its interval for a regression. "accuracy", "log_loss" or "mse"
/// are those without the part. Heads that are out together
/// are one element, with "part": "heads" and "heads": ["1.10", …]. Of estimated effects:
/// "attribution": [{"part", "layer", "head", "worth"}, …], "correlation_with_ablation", if it is
/// defined. Neurons have "neuron" in place of "head".
void write_ablation(JsonWriter& json, const Ablation& ablation);

/// A table with one line per part, most needed part first; with many parts only the first and the
/// last lines.
std::string ablation_text(const Ablation& ablation);

/// A grid of layers and heads, then the table. Markup.
std::string ablation_section(const Ablation& ablation);

}  // namespace headlight
