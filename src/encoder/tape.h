// The intermediate values of a forward pass that a backward pass reads (gradient/backward.h). A
// pass with a tape writes each of them to memory of its own instead of scratch memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "encoder/dropout.h"
#include "math/matrix.h"

namespace headlight {

/// Of attention or the feed-forward, with norms and residual. m = n, or t with Pass::rows.
struct SublayerTape {
  ConstMatrix x;    // [n, d] its input
  ConstMatrix in;   // [n, d] the norm of x, or x
  ConstMatrix out;  // [m, d] before the norm of its output
  ConstMatrix sum;  // [m, d] before the norm after the residual
};

struct AttentionTape {
  ConstMatrix queries_in;          // [m, d] what the queries are projected from
  ConstMatrix raw_query, raw_key;  // [m, H], [n, H/g] before norms and rotary positions
  ConstMatrix query, key, value;   // [m, H], [n, H/g], [n, H/g]
  ConstMatrix context;             // [m, H]
};

struct LayerTape {
  SublayerTape attention_sublayer;
  AttentionTape attention;
  SublayerTape feed_forward_sublayer;
  ConstMatrix gate, up;  // [m, f] before the activation
};

struct EmbeddingTape {
  ConstMatrix sum;        // [n, e] of the embeddings
  ConstMatrix projected;  // [n, e] what is projected
  ConstMatrix normed;     // [n, e] or [n, d] what is normed
};

struct HeadTape {
  ConstMatrix pooled;      // [t, d]
  ConstMatrix dense_in;    // [t, d], or [n, d] before pooling
  ConstMatrix dense;       // before the activation
  ConstMatrix activated;   // before the norm
  ConstMatrix dense_out;   // after it
  ConstMatrix classified;  // [t, d] or [n, d]: the input of the classifier
  AttentionTape labels;    // query [c, H]; context [t · c, H]
  ConstMatrix label_out;   // [t · c, d]
};

struct Tape {
  Dropout dropout;
  ConstMatrix start;  // [n, d]: replaces the embedded tokens; empty: it does not

  // Filled by the forward pass.
  ConstMatrix relative_bias;                        // Pass::relative_bias
  std::span<const Matrix> turns;                    // Pass::turns
  std::span<const std::uint32_t> relative_columns;  // RelativeScores::columns
  EmbeddingTape embedding;
  ConstMatrix embedded;         // [n, d] the input of the first layer
  ConstMatrix convolution;      // [n, d] before its activation
  ConstMatrix convolution_sum;  // [m, d] before its norm
  std::vector<LayerTape> layers;
  ConstMatrix unnormed;               // [m, d] the input of the final norm
  ConstMatrix encoded;                // [m, d]
  std::span<const std::size_t> rows;  // Pass::rows of the last layer
  HeadTape head;

  /// Memory that stays as it is until rewind().
  Buffer& fresh() {
    if (used_ == buffers_.size()) buffers_.emplace_back();
    return buffers_[used_++];
  }
  Matrix copy_of(ConstMatrix x) {
    const Matrix copy = fresh().shape(x.rows, x.cols);
    for (std::size_t i = 0; i < x.rows; ++i) {
      std::copy_n(x.row(i).data(), x.cols, copy.row(i).data());
    }
    return copy;
  }
  void rewind(std::size_t layers_of_model) {
    used_ = 0;
    layers.assign(layers_of_model, {});
  }

 private:
  std::deque<Buffer> buffers_;  // a deque, because callers keep references
  std::size_t used_ = 0;
};

}  // namespace headlight
