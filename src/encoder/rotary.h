// Rotary positions: queries and keys are turned by the position of their token, so that a score
// depends on the distance (Su et al. 2021, "RoFormer", §3.2.2).
#pragma once

#include <span>

#include "encoder/batch.h"
#include "encoder/scratch.h"
#include "math/matrix.h"
#include "model/description.h"

namespace headlight {

/// The turns of each kind of rotary positions, [m, 2p] with p frequencies: row i has the cosines
/// and then the sines of the angles at position Batch::first_position() + i; m is the length of the
/// longest text. Valid until `scratch` is used for the next batch.
std::span<const Matrix> rotary_turns(std::span<const Rotary> kinds, const Batch& batch,
                                     Scratch& scratch);

/// x [n, H]: turns each head of size e; row i by row i of `turns`.
void rotate_heads(const Rotary& kind, ConstMatrix turns, std::size_t e, Matrix x);

}  // namespace headlight
