// Memory of a forward pass. Each thread has one and reuses it: nothing is allocated once warm.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "encoder/batch.h"
#include "encoder/dot_product_attention.h"
#include "encoder/ngrams.h"
#include "math/matrix.h"

namespace headlight {

/// A sublayer reads the current vectors and writes the next ones; then the two are swapped.
struct DoubleBuffer {
  Buffer current;
  Buffer next;

  void swap() { std::swap(current, next); }
};

struct Scratch {
  DoubleBuffer hidden;                          // [n, d] hidden vectors between layers
  Buffer normed;                                // [n, d] input of a pre-norm sublayer
  Buffer selected;                              // [t, d] the selected rows
  Buffer selected_normed;                       // [t, d]
  Buffer query;                                 // [n, H]
  Buffer key;                                   // [n, H]
  Buffer value;                                 // [n, H]
  Buffer context;                               // [n, H] the heads' outputs, concatenated
  Buffer up;                                    // [n, f]
  Buffer gate;                                  // [n, f]
  Buffer embedded;                              // [n, e] before the projection to d
  Buffer sinusoids;                             // [P, e] for the largest number of positions so far
  Buffer windows;                               // [n, k · d] the columns that a convolution reads
  Buffer convolution;                           // [n, d] the activated convolution
  Buffer pooled;                                // [t, d]
  Buffer unit;                                  // [t, d] the pooled vectors, normalized
  Buffer dense;                                 // [t, w], or [n, d] before pooling
  Buffer folds;                                 // [t, k · c] the logits of each
  Buffer all_logits;                            // [t, c + k · c]
  Buffer logits;                                // [t, c]
  Buffer label_query;                           // [c, H]
  Buffer label_out;                             // [c, d] for each text of a group
  Buffer class_weight;                          // [1, d]
  std::vector<Buffer> rotary_memory;            // of rotary_tables
  std::vector<Matrix> rotary_tables;            // [m, 2p] PositionTables::rotary
  std::vector<Buffer> bias_memory;              // of relative_biases
  std::vector<Matrix> relative_biases;          // [h, 2n - 1] for the longest text
  Buffer source;                                // [n, d] the encoder's vectors for a decoder
  Batch target;                                 // what a decoder reads
  Matrix sinusoid_table;                        // the computed part of `sinusoids`
  std::vector<std::size_t> positions;           // [n] for one text
  std::vector<std::size_t> rows;                // [t] the selected rows
  TextParts parts;                              // that are pooled, of one text
  std::vector<double> sums;                     // [d] of their vectors
  std::vector<std::uint32_t> relative_columns;  // [2n - 1] PositionTables::relative_columns
  std::vector<TextAttention> attentions;        // one per text
};

}  // namespace headlight
