// A text inside a model. START HERE in this room: a text is read and traced, then looked at.
//
//   trace_text()      tokens, prediction, and the values inside the model that were asked for
//   AttentionView     its attention: weights, rollout, statistics (attention_view.h)
//   activations_of()  what each layer does to the vectors of the tokens (activations.h)
//   layer_verdicts(), patch()  what these vectors already decide (patching.h)
//
// A WordExplainer (word_explainer.h) scores other texts: those without some of the words.
#pragma once

#include <string>
#include <vector>

#include "classifier/classifier.h"
#include "encoder/trace.h"
#include "text/encoding.h"

namespace headlight {

/// A text as a model reads it, its prediction, and the trace of the forward pass.
struct TracedText {
  std::string model_name;
  TextInput input;
  Encoding encoding;
  Prediction prediction;
  TextTrace trace;  // without values, which are only kept as norms
  std::vector<std::vector<float>>
      value_norms;  // see value_norms.h; empty: no values were asked for
};

/// The text with its tokens, not yet traced. Throws TextError.
TracedText read_text(const Classifier& classifier, const TextInput& input);
/// Fills in the prediction, and the parts of the trace that `wanted` asks for. Throws TextError if
/// the text cannot be scored.
void fill_trace(const Classifier& classifier, Trace wanted, TracedText& text);
/// Both.
TracedText trace_text(const Classifier& classifier, const TextInput& input, const Trace& wanted);

}  // namespace headlight
