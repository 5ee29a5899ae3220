// How much a model computes.
#pragma once

#include <cstddef>

#include "model/description.h"

namespace headlight {

/// Multiplications and additions of the linear layers for one token: 2 a weight, as often as it is
/// used.
std::size_t flops_per_token(const Description& model);

}  // namespace headlight
