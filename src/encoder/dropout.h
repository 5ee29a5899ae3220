// Dropout (Srivastava et al. 2014, "Dropout: A Simple Way to Prevent Neural Networks from
// Overfitting"). Whether a number is dropped depends only on the seed, the step, its row and its
// place in the model, so the backward pass drops the same numbers, on any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "encoder/batch.h"
#include "math/matrix.h"

namespace headlight {

struct Dropout {
  float hidden = 0.0F;     // probability for embeddings, outputs of sublayers, and the head's input
  float attention = 0.0F;  // probability for attention weights
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  std::span<const std::uint64_t> rows = {};  // a number for each text of the batch; empty: 0, 1, …
};

}  // namespace headlight
