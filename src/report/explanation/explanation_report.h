// What each word does to a verdict, as JSON. explanation_text.h has it for people,
// explanation_page.h as a page.
#pragma once

#include "base/json_writer.h"
#include "classifier/explanation.h"

namespace headlight {

/// One object: text, pair, label, logits, probabilities (of a regression value or values),
/// truncated, "words": [{"word", "offset", "sequence", "effect"}, …] and, where pairs were asked
/// for, "pairs": [{"words", "effect", "interaction"}, …]. `given` is the text as it was typed,
/// which offsets count in.
void write_explanation(JsonWriter& json, const LabelSet& labels, const TextInput& given,
                       const Explanation& explanation);

}  // namespace headlight
