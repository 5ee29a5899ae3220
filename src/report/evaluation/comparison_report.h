// Two models on the same rows, as JSON, text and a section of a page.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "metrics/comparison.h"

namespace headlight {

/// "comparison": {"model", "both", "first_only", "second_only", "neither", "errors", "agreement",
/// "p_value", "accuracy_change", "accuracy_change_interval", "second": {…write_evaluation()…},
/// "rows": [{"id", "line", "text", "pair", "gold", "first", "second"}, …]}; `labels` are the second
/// model's.
void write_comparison(JsonWriter& json, const LabelSet& labels, const Comparison& comparison);

/// The measures of both models side by side, the four counts, the test and a few disputed rows.
std::string comparison_text(const Evaluation& first, const Comparison& comparison);

/// The same with more rows. Markup.
std::string comparison_section(const Evaluation& first, const Comparison& comparison);

}  // namespace headlight
