// From encoded tokens to one vector a text.
#pragma once

#include "encoder/batch.h"
#include "math/matrix.h"
#include "model/description.h"

namespace headlight {

/// x [n, d] → out [t, d]: the first row, the last, the mean or the maximum of each text.
void pool(Pooling pooling, RowStarts starts, ConstMatrix x, Matrix out);

}  // namespace headlight
