// From encoded tokens to logits: a vector per text, an optional dense with its activation, then the
// classifier, and what n-grams add; or label attention, which gives one vector per class; or labels
// read with the text.
#pragma once

#include "encoder/pass.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// x [n, d], or [t, d] with Pass::rows → the vectors that the classifier reads, [t, d], or [n, d]
/// with Pooling::each_token. Not for label attention, which has a vector per class.
ConstMatrix classifier_input(const Description& model, const Weights& weights, Pass& pass,
                             ConstMatrix x);

/// x [n, d], or [t, d] with Pass::rows → logits [t, c], or [n, c] with Pooling::each_token; c is 0
/// without a classification head; [t, c + k · c] with Pass::adds_folds and Description::folds.
ConstMatrix run_head(const Description& model, const Weights& weights, Pass& pass, ConstMatrix x);

}  // namespace headlight
