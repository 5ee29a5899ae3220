// Rotary positions: queries and keys are turned by the position of their token, so that a score
// depends on the distance (Su et al. 2021, "RoFormer", §3.2.2).
#pragma once

#include <cstddef>

#include "encoder/batch.h"
#include "math/matrix.h"
#include "model/description.h"

namespace headlight {

struct RotaryTable {
  const Rotary& kind;
  ConstMatrix angles;     // [m, 2p] as PositionTables::rotary
  std::size_t head_size;  // e
};

/// Rotates the queries of these rows, [n, H] or [t, H], and the keys [n, H/g] of all tokens. Idle
/// threads help.
void rotate_texts(const RotaryTable& table, const BatchRows& rows, Matrix query, Matrix key);

}  // namespace headlight
