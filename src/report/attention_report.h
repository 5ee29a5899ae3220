// Every head's attention with its tokens, as JSON that goes straight into numpy.array.
#pragma once

#include <string>

#include "classifier/classifier.h"
#include "encoder/trace.h"
#include "report/json_writer.h"

namespace headlight {

/// A text, its tokens, its verdict, and what was seen on the way there.
struct TracedText {
  std::string model_name;
  TextInput input;
  Encoding encoding;
  Prediction prediction;
  TextTrace trace;
};

/// One object: model, text, tokens …, "attention": [layer][head][query][key], and with label
/// attention "label_attention": [class][head][token]. A model without a classification head has no
/// label, logits and probabilities.
void write_attention(JsonWriter& json, const Description& model, const TracedText& traced);

/// About how many bytes write_attention() makes of the matrices.
std::size_t attention_json_size(const Description& model, std::size_t tokens);

}  // namespace headlight
