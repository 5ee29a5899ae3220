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
  std::string first_target;  // what a decoder reads before the tokens; empty: there is none
  Prediction prediction;
  TextTrace trace;                              // without values, which are only kept as norms
  std::vector<std::vector<float>> value_norms;  // see ValueNorms; empty: no values were asked for
};

/// The text with its tokens, not yet traced. Throws TextError.
TracedText read_text(const Classifier& classifier, const TextInput& input);
class ValueNorms;
/// Fills in the prediction, and the parts of the trace that `wanted` asks for. `norms` of the model
/// save time where there are many texts. Throws TextError if the text cannot be scored.
void fill_trace(const Classifier& classifier, Trace wanted, TracedText& text,
                const ValueNorms* norms = nullptr);
/// Both.
TracedText trace_text(const Classifier& classifier, const TextInput& input, const Trace& wanted);

/// The norms of the transformed value vectors that tokens pass to those that attend to them
/// (Kobayashi et al. 2020, "Attention is Not Only a Weight: Analyzing Transformers with Vector
/// Norms", §3). Const and shared by threads.
class ValueNorms {
 public:
  /// The model must outlive it.
  explicit ValueNorms(const Model& model);

  /// One matrix [h, n] per layer: ‖f(x_j)‖ of each head and token. f is the head's value vector
  /// multiplied by its columns of the output projection [d, H], without the projection's bias;
  /// without an output projection it is the value vector itself. The trace must contain the values.
  /// Sums are float64, over the stored weights.
  std::vector<std::vector<float>> of(const TextTrace& trace) const;

 private:
  const Description& model_;
  /// Per layer and head wᵀw [e, e], where w [d, e] is its part of the output projection; empty: the
  /// layer has none.
  std::vector<std::vector<std::vector<double>>> forms_;
};

}  // namespace headlight
