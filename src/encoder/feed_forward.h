// The feed-forward of a layer: one hidden layer for each token (Vaswani et al. 2017, §3.3; with a
// gate: Shazeer 2020, "GLU Variants Improve Transformer").
#pragma once

#include "encoder/pass.h"
#include "model/weights.h"

namespace headlight {

/// act(x W1ᵀ + b1) W2ᵀ + b2, or with a gate (act(x Wgᵀ + bg) · (x W1ᵀ + b1)) W2ᵀ + b2;
/// x [n, d] → [n, d] in scratch.hidden.next.
Matrix feed_forward(Activation activation, const FeedForwardWeights& weights, Pass& pass,
                    ConstMatrix x);

/// The hidden layer before its activation, [n, f]; without a gate, that is empty.
struct RawFeedForward {
  ConstMatrix gate;
  ConstMatrix up;
};

/// hidden [n, f] ← act(up), or act(gate) · up. With a gate, act(gate) is in `gate` then. Idle
/// threads help.
void activate_raw(Activation activation, const RawFeedForward& raw, Buffer& gate, Matrix hidden);

}  // namespace headlight
