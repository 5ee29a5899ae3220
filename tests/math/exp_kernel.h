// exp as kernels have it, which no function of the library gives out alone.
#pragma once

#include <span>

namespace headlight {

void exp_of(std::span<float> values);

}  // namespace headlight
