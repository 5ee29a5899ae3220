// Memory of a forward pass. Each thread has one and reuses it: nothing is allocated once warm.
#pragma once

#include <utility>
#include <vector>

#include "encoder/dot_product_attention.h"
#include "math/matrix.h"

namespace headlight {

/// A sublayer reads the current vectors and writes the next, which then are the current ones.
struct DoubleBuffer {
  Buffer current;
  Buffer next;

  void swap() { std::swap(current, next); }
};

struct Scratch {
  DoubleBuffer hidden;                    // [n, d] what flows from layer to layer
  Buffer normed;                          // [n, d] what a pre-norm sublayer reads
  Buffer selected;                        // [t, d] the rows that are computed further
  Buffer selected_normed;                 // [t, d]
  Buffer query;                           // [n, H]
  Buffer key;                             // [n, H]
  Buffer value;                           // [n, H]
  Buffer context;                         // [n, H] the heads' outputs, concatenated
  Buffer up;                              // [n, f]
  Buffer embedded;                        // [n, e] before the projection to d
  Buffer sinusoids;                       // [P, e] as many positions as were met
  Buffer relative_bias;                   // [h, 2n - 1] of the longest text
  Buffer pooled;                          // [t, d]
  Buffer dense;                           // [t, d]
  Buffer logits;                          // [t, c]
  Buffer label_query;                     // [c, H]
  Buffer label_out;                       // [c, d] of each of some texts
  Buffer class_weight;                    // [1, d]
  Matrix sinusoid_table;                  // what of `sinusoids` is computed
  std::vector<std::size_t> positions;     // [n] of one text
  std::vector<std::size_t> rows;          // [t] those that are computed further
  std::vector<TextAttention> attentions;  // one a text
};

}  // namespace headlight
