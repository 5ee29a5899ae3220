#include "metrics/attention_statistics.h"

#include <algorithm>
#include <cmath>

namespace headlight {

void AttentionSums::add(const std::vector<std::vector<float>>& layers, std::size_t n) {
  AttentionSums text;
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    for (std::size_t head = 0; head < layers[layer].size() / (n * n); ++head) {
      Head& sums = text.heads_.emplace_back();
      sums.layer = layer;
      sums.number = head;
      sums.weights = static_cast<double>(n * n);
      sums.queries = static_cast<double>(n);
      for (std::size_t query = 0; query < n; ++query) {
        const float* weights = layers[layer].data() + (head * n + query) * n;
        sums.maxima += *std::max_element(weights, weights + n);
        for (std::size_t key = 0; key < n; ++key) {
          const double weight = weights[key];
          sums.sum += weight;
          sums.squares += weight * weight;
          if (weight > 0.0) sums.entropies -= weight * std::log(weight);
        }
      }
    }
  }
  add(text);
}

void AttentionSums::add(const AttentionSums& other) {
  if (heads_.empty()) {
    heads_ = other.heads_;
    return;
  }
  for (std::size_t i = 0; i < other.heads_.size(); ++i) {
    heads_[i].weights += other.heads_[i].weights;
    heads_[i].queries += other.heads_[i].queries;
    heads_[i].sum += other.heads_[i].sum;
    heads_[i].squares += other.heads_[i].squares;
    heads_[i].maxima += other.heads_[i].maxima;
    heads_[i].entropies += other.heads_[i].entropies;
  }
}

std::vector<HeadStatistics> AttentionSums::statistics() const {
  std::vector<HeadStatistics> all;
  for (const Head& head : heads_) {
    const double mean = head.sum / head.weights;
    const double variance = std::max(head.squares / head.weights - mean * mean, 0.0);
    all.push_back({head.layer, head.number, mean, std::sqrt(variance), head.maxima / head.queries,
                   head.entropies / head.queries});
  }
  return all;
}

}  // namespace headlight
