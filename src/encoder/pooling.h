// From encoded tokens to one vector a text.
#pragma once

#include <cstddef>
#include <optional>

#include "encoder/batch.h"
#include "math/matrix.h"
#include "model/description.h"

namespace headlight {

/// Whether the pooling reads one row of a text, and which of its n: the others need not be
/// computed.
std::optional<std::size_t> pooled_row(Pooling pooling, std::size_t n);

/// x [n, d] → out [t, d]: the first row, the last, the mean or the maximum of each text.
void pool(Pooling pooling, RowStarts starts, ConstMatrix x, Matrix out);

}  // namespace headlight
