// Products by AMX, for processors that have it (math/processor.h). Defined in tiles.cpp.
#pragma once

#include "math/bfloat.h"
#include "math/matrix.h"
#include "math/quantized.h"

namespace headlight {

/// multiply() of bfloat.h for rows in pairs.
void multiply_in_tiles(const BfloatRows& x, const BfloatPanels& w, const float* bias, Matrix out);

/// multiply() of quantized.h for rows and panels in fours.
void multiply_in_tiles(const QuantizedRows& x, const QuantizedPanels& w, const float* bias,
                       Matrix out);

}  // namespace headlight
