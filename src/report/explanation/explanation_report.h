// The effect of each word on the prediction, as JSON. See explanation_text.h for text and
// explanation_page.h for HTML.
#pragma once

#include "base/json_writer.h"
#include "inside/explanation.h"

namespace headlight {

/// The fields of an object: text, pair, label, logits, probabilities (for a regression value or
/// values), truncated, "words": [{"word", "offset", "sequence", "effect", "standard_error"}, …], if
/// pairs were requested "pairs": [{"words", "effect", "interaction"}, …], "method", if Shapley
/// values were sampled "samples", for integrated gradients "completeness_gap" and "steps", and, if
/// it was measured, "faithfulness": {"comprehensiveness", "sufficiency", the same normalized,
/// "methods":
/// [{"method", …}, …]}. `given` is the text as typed; offsets refer to it.
void write_explanation_fields(JsonWriter& json, const LabelSet& labels, const TextInput& given,
                              const Explanation& explanation);

}  // namespace headlight
