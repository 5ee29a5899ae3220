// Attention statistics of a model's heads over one or more texts, as running float64 sums.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "text/encoding.h"

namespace headlight {

/// Means are over the n queries of a text.
struct HeadStatistics {
  std::size_t layer = 0;
  std::size_t head = 0;
  double mean = 0.0;      // of all weights
  double std = 0.0;       // of all weights (population)
  double max = 0.0;       // mean of each query's maximum
  double entropy = 0.0;   // mean of −Σ a ln a
  double distance = 0.0;  // mean of Σ a |i − j|
  double self = 0.0;      // mean weight on the token itself; this and the next: 0 if there is none
  double previous = 0.0;  // on the token before it
  double next = 0.0;      // on the token after it
  double special = 0.0;   // on all special tokens
};

/// The sums of one head over all added texts.
struct HeadSums {
  HeadStatistics sums;   // sums of the values that each field averages; std is unused
  double squares = 0.0;  // of the weights
  double weights = 0.0;  // how many
  double queries = 0.0;  // how many
};

class AttentionSums {
 public:
  /// Attention of one text, [h, n, n] per layer. `tokens` [n] marks special tokens with
  /// Sequence::none. All texts must come from the same model.
  void add(const std::vector<std::vector<float>>& layers, std::span<const Sequence> tokens);
  /// Adds the sums of another object. The same objects in the same order give the same bits.
  void add(const AttentionSums& other);

  /// Of every head, layer by layer; empty if nothing was added.
  std::vector<HeadStatistics> statistics() const;

 private:
  std::vector<HeadSums> heads_;
};

}  // namespace headlight
