// Layer-wise relevance propagation through the encoder, from the rules of Achtibat et al. 2024,
// "AttnLRP: Attention-Aware Layer-Wise Relevance Propagation for Transformers" (§3), in float64.
// The relevance itself goes from each function's outputs to its inputs: R / z for linear functions
// (LRP-0), never a gradient.
#pragma once

#include "reference/architecture.h"
#include "reference/encoder.h"
#include "reference/tensors.h"

namespace headlight::reference {

struct Relevance {
  Vector of_tokens;       // [n, d]: of the vectors that the first layer reads
  double absorbed = 0.0;  // by biases, by constants and by the softmax
  bool tied = false;      // max pooling: in float32, another token may have a column's maximum
};

/// Of Σ factor · logit, `factors` one for each logit. The sum of all relevance is that number.
Relevance relevance(const Architecture& architecture, const Tensors& tensors, const Text& text,
                    const Vector& factors);

}  // namespace headlight::reference
