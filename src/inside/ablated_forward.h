// The logits of texts with the whole model, and without each of its parts in turn. What lies below
// a part is computed once.
#pragma once

#include <functional>
#include <vector>

#include "encoder/ablation.h"
#include "encoder/batch.h"
#include "encoder/scratch.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// A part, and for a head the vector [e] in place of its output; empty: zeros.
struct PartAway {
  Part part;
  std::vector<float> replacement = {};
};

/// Logits [t, (1 + p) · c] in `out`: those of the whole model, then without each of the p parts,
/// which must be in the order of their layers. Calls `check` before each pass; it may throw. The
/// model must not label tokens.
ConstMatrix forward_without(const Description& model, const Weights& weights,
                            std::span<const PartAway> parts, const Batch& batch, Scratch& scratch,
                            Buffer& out, const std::function<void()>& check);

}  // namespace headlight
