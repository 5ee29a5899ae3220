// Dropout (Srivastava et al. 2014, "Dropout: A Simple Way to Prevent Neural Networks from
// Overfitting"). Whether a number is dropped depends only on the seed, the step, its text's number
// and its place, so the backward pass drops the same numbers, on any number of threads.
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
  std::span<const std::uint64_t> texts = {};  // a number for each of the batch; empty: 0, 1, …
};

/// The places where numbers are dropped.
struct DropoutPlace {
  static constexpr std::uint64_t kEmbedding = 0;
  static constexpr std::uint64_t kHead = 1;
  static constexpr std::uint64_t attention_weights(std::size_t layer) { return 2 + 3 * layer; }
  static constexpr std::uint64_t attention(std::size_t layer) { return 3 + 3 * layer; }
  static constexpr std::uint64_t feed_forward(std::size_t layer) { return 4 + 3 * layer; }
};

/// Drops numbers of x with the probability Dropout::hidden, and divides the others by
/// 1 - probability. Row i of x is the i-th of the batch's rows.
void drop_rows(const Dropout& dropout, std::uint64_t place, const BatchRows& rows, Matrix x);

/// Drops attention weights: a row for each query of one head of one text.
struct AttentionDropout {
  float probability = 0.0F;
  std::uint64_t key = 0;  // of the text and the layer

  /// row: the weights of the query at `position` in head `head`, from key `first` on. `first` is a
  /// multiple of 4.
  void apply(std::size_t head, std::size_t position, std::size_t first, std::span<float> row) const;
};
AttentionDropout attention_dropout(const Dropout& dropout, std::size_t layer, std::size_t text);

}  // namespace headlight
