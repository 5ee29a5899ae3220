// What the heads of a model do over many texts, in running float64 sums.
#pragma once

#include <cstddef>
#include <vector>

namespace headlight {

struct HeadStatistics {
  std::size_t layer = 0;
  std::size_t head = 0;
  double mean = 0.0;     // of all weights
  double std = 0.0;      // of the population of all weights
  double max = 0.0;      // mean of each query's maximum
  double entropy = 0.0;  // mean of −Σ a ln a over the queries
};

class AttentionSums {
 public:
  /// Matrices of one text with n tokens: a layer each, [h, n, n]. All texts are of one model.
  void add(const std::vector<std::vector<float>>& layers, std::size_t n);
  /// What another one was given. The same ones in the same order give the same bits.
  void add(const AttentionSums& other);

  /// Of every head, a layer after the other; none where nothing was added.
  std::vector<HeadStatistics> statistics() const;

 private:
  struct Head {
    std::size_t layer = 0;
    std::size_t number = 0;
    double weights = 0.0;  // how many
    double queries = 0.0;  // how many
    double sum = 0.0;
    double squares = 0.0;
    double maxima = 0.0;
    double entropies = 0.0;
  };
  std::vector<Head> heads_;
};

}  // namespace headlight
