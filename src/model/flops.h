// The amount of computation of a model.
#pragma once

#include <cstddef>

#include "model/description.h"

namespace headlight {

/// Multiplications and additions of the linear layers for one token: 2 for each use of a weight.
std::size_t flops_per_token(const Description& model);

}  // namespace headlight
