// The effect of each word on a prediction, by gradients with respect to the embedded tokens. The
// effect of a word is the sum over its tokens; special tokens have none.
//
//   gradient              Σ x · ∂logit/∂x (Shrikumar et al. 2016, "Not Just a Black Box")
//   integrated_gradients  Σ (x - b) · ∫ ∂logit/∂x (b + α (x - b)) dα, α from 0 to 1 (Sundararajan
//                         et al. 2017, "Axiomatic Attribution for Deep Networks")
//   lrp                   Σ x · "∂logit/∂x" by BackwardRules::relevance (Achtibat et al. 2024,
//                         "AttnLRP: Attention-Aware Layer-Wise Relevance Propagation for
//                         Transformers")
//   exact                 the same sum, of a model whose logits are a sum over tokens and n-grams
//                         and a bias: each token has also its equal share of the n-grams that it is
//                         in (an n-th of one of n tokens)
//
// x are the vectors that the first layer reads: token, position and segment embeddings with their
// norm. The baseline b is the same text with [PAD] instead of all tokens but the special ones, as
// is usual for encoders; with the unknown token if the vocabulary has no padding token, with
// vectors of 0 if it has neither.
#pragma once

#include <optional>

#include "classifier/classifier.h"
#include "gradient/backward.h"
#include "gradient/parameters.h"
#include "inside/explanation.h"

namespace headlight {

/// Whether the logits are a sum over tokens, n-grams and a bias: no layers, the mean, and a linear
/// head.
bool is_sum_of_words(const Description& model);

class GradientExplainer {
 public:
  /// The classifier must outlive it.
  explicit GradientExplainer(const Classifier& classifier);

  /// `method` must be by gradients. Can be called by several threads. The integral is a sum of
  /// steps, doubled until the gap is below 1 % of the change in logits, at most 512 steps. Empty if
  /// `stopped` returned true. Throws TextError if the text cannot be scored, or if the method is
  /// exact and the model is no sum of words.
  std::optional<Explanation> explain(const TextInput& input, ExplanationMethod method,
                                     const StopCheck& stopped) const;

 private:
  const Classifier& classifier_;
  Parameters parameters_;  // float32, whatever the precision of the classifier
};

}  // namespace headlight
