// The groups of benchmarks; each adds its own to those that will run.
#pragma once

#include <array>

#include "math/linear.h"

namespace headlight::bench {

/// How the weights of linear layers are used.
struct Way {
  const char* name;
  LinearKernels kernels;
  bool packed;  // before
};

inline constexpr std::array<Way, 3> kWays = {{
    {"packed", LinearKernels::packed, true},
    {"as_stored", LinearKernels::packed, false},
    {"openblas", LinearKernels::openblas, false},
}};

void add_linear();
void add_pack();
void add_attention();
void add_elementwise();
void add_forward();
void add_stream();

}  // namespace headlight::bench
