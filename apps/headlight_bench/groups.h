// The groups of benchmarks; each adds its own to those that will run.
#pragma once

#include <array>

#include "math/prepared_weights.h"

namespace headlight::bench {

/// How the weights of linear layers are used.
struct Way {
  const char* name;
  LinearForm form;
};

inline constexpr std::array<Way, 3> kWays = {{
    {"packed", LinearForm::packed},
    {"as_stored", LinearForm::stored},
    {"openblas", LinearForm::blas},
}};

void add_linear();
void add_pack();
void add_attention();
void add_elementwise();
void add_forward();
void add_stream();
void add_gradients();
void add_tokenizing();

}  // namespace headlight::bench
