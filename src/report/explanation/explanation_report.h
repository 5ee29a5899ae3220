// The effect of each word on the prediction, as JSON. See explanation_text.h for text and
// explanation_page.h for HTML.
#pragma once

#include "base/json_writer.h"
#include "classifier/explanation.h"

namespace headlight {

/// One object: text, pair, label, logits, probabilities (for a regression value or values),
/// truncated, "words": [{"word", "offset", "sequence", "effect"}, …], if pairs were requested
/// "pairs": [{"words", "effect", "interaction"}, …], and "method"; for integrated gradients also
/// "completeness_gap" and "steps". `given` is the text as typed; offsets refer to it.
void write_explanation(JsonWriter& json, const LabelSet& labels, const TextInput& given,
                       const Explanation& explanation);

}  // namespace headlight
