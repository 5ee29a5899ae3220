// Rows as other programs write them.
#pragma once

#include <string>

#include "report/predictions/prediction_report.h"

namespace headlight {

/// A line of JSON as a pipeline of transformers returns it for a text. Without probabilities,
/// scores are logits.
std::string hf_row(const LabelSet& labels, const std::string& text, const Prediction& prediction,
                   const PredictionView& view);

/// The best labels as `fasttext predict-prob` prints them: "__label__a 0.98 __label__b 0.01". An
/// error is "__error__ " and its text. Names of labels must have no blanks.
std::string fasttext_row(const LabelSet& labels, const Prediction& prediction,
                         const PredictionView& view);

/// Begins the row of an error.
inline constexpr const char* kFasttextError = "__error__ ";

}  // namespace headlight
