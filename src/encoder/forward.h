// From ids to logits: the whole forward pass. START HERE in this room.
#pragma once

#include <cstddef>
#include <span>

#include "encoder/pass.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// The vectors of the tokens after the last layer and its norm, [n, d], or only the rows `rows`,
/// one per text, if there are any: [t, d]. Valid until pass.scratch is used again.
ConstMatrix encode(const Description& model, const Weights& weights, Pass& pass,
                   std::span<const std::size_t> rows);

/// The first token that a decoder reads of a text; then come those of the text but the last.
TokenId first_target(const Description& model, std::span<const TokenId> ids);

/// What a decoder reads of a batch, embedded: [n, d] in scratch.hidden. No observer is told.
Matrix embed_target(const Description& model, const Weights& weights, const Batch& batch,
                    Scratch& scratch);

/// The vectors that the classifier reads, [t, d]: pooled, and after the dense layer of the head.
/// Valid until pass.scratch is used again. Not for label attention or each token.
ConstMatrix classifier_inputs(const Description& model, const Weights& weights, Pass pass);

/// Logits [t, c] of the batch's texts, or [n, c] of its tokens with Pooling::each_token, valid
/// until pass.scratch is used again; c is 0 for a model without a classification head.
ConstMatrix forward(const Description& model, const Weights& weights, Pass pass);

}  // namespace headlight
