// What the heads of a model do over one text or many, in running float64 sums.
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
  double std = 0.0;       // of the population of all weights
  double max = 0.0;       // mean of each query's maximum
  double entropy = 0.0;   // mean of −Σ a ln a
  double distance = 0.0;  // mean of Σ a |i − j|
  double self = 0.0;      // mean of the weight on the token itself; 0 where there is none, as below
  double previous = 0.0;  // on the one before it
  double next = 0.0;      // on the one after it
  double special = 0.0;   // on all special tokens together
};

/// Of one head, over the texts that were added.
struct HeadSums {
  HeadStatistics sums;   // sums of what its fields are the means of, std apart
  double squares = 0.0;  // of the weights
  double weights = 0.0;  // how many
  double queries = 0.0;  // how many
};

class AttentionSums {
 public:
  /// Matrices of one text: a layer each, [h, n, n]. `tokens`, n of them, says which are special
  /// (Sequence::none). All texts are of one model.
  void add(const std::vector<std::vector<float>>& layers, std::span<const Sequence> tokens);
  /// What another one was given. The same ones in the same order give the same bits.
  void add(const AttentionSums& other);

  /// Of every head, a layer after the other; none where nothing was added.
  std::vector<HeadStatistics> statistics() const;

 private:
  std::vector<HeadSums> heads_;
};

}  // namespace headlight
