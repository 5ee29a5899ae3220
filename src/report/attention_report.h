// Every head's attention with its tokens, as JSON that goes straight into numpy.array.
#pragma once

#include <cstddef>

#include "model/description.h"
#include "report/json_writer.h"
#include "report/traced_text.h"

namespace headlight {

/// One object: model, text, tokens …, "attention": [layer][head][query][key], and with label
/// attention "label_attention": [class][head][token]. A model without a classification head has no
/// label, logits and probabilities.
void write_attention(JsonWriter& json, const Description& model, const TracedText& traced);

/// About how many bytes write_attention() makes of the matrices.
std::size_t attention_json_size(const Description& model, std::size_t tokens);

}  // namespace headlight
