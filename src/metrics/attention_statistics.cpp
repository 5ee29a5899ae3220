#include "metrics/attention_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {
namespace {

/// Those that are means over queries.
constexpr std::array kMeansOfQueries = {&HeadStatistics::max,      &HeadStatistics::entropy,
                                        &HeadStatistics::distance, &HeadStatistics::self,
                                        &HeadStatistics::previous, &HeadStatistics::next,
                                        &HeadStatistics::special};

}  // namespace

void AttentionSums::add_query(Head& head, std::span<const float> weights, std::size_t query,
                              std::span<const Sequence> tokens) {
  HeadStatistics& sums = head.sums;
  for (std::size_t key = 0; key < weights.size(); ++key) {
    const double weight = weights[key];
    const std::size_t distance = key < query ? query - key : key - query;
    sums.mean += weight;
    head.squares += weight * weight;
    if (weight > 0.0) sums.entropy -= weight * std::log(weight);
    sums.distance += weight * static_cast<double>(distance);
    if (tokens[key] == Sequence::none) sums.special += weight;
  }
  sums.max += *std::max_element(weights.begin(), weights.end());
  sums.self += weights[query];
  if (query > 0) sums.previous += weights[query - 1];
  if (query + 1 < weights.size()) sums.next += weights[query + 1];
}

void AttentionSums::add(const std::vector<std::vector<float>>& layers,
                        std::span<const Sequence> tokens) {
  const std::size_t n = tokens.size();
  AttentionSums text;
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    for (std::size_t number = 0; number < layers[layer].size() / (n * n); ++number) {
      Head& head = text.heads_.emplace_back();
      head.sums.layer = layer;
      head.sums.head = number;
      head.weights = static_cast<double>(n * n);
      head.queries = static_cast<double>(n);
      for (std::size_t query = 0; query < n; ++query) {
        add_query(head, {layers[layer].data() + (number * n + query) * n, n}, query, tokens);
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
    Head& head = heads_[i];
    const Head& more = other.heads_[i];
    head.weights += more.weights;
    head.queries += more.queries;
    head.squares += more.squares;
    head.sums.mean += more.sums.mean;
    for (const auto field : kMeansOfQueries) head.sums.*field += more.sums.*field;
  }
}

std::vector<HeadStatistics> AttentionSums::statistics() const {
  std::vector<HeadStatistics> all;
  for (const Head& head : heads_) {
    HeadStatistics& means = all.emplace_back(head.sums);
    means.mean /= head.weights;
    means.std = std::sqrt(std::max(head.squares / head.weights - means.mean * means.mean, 0.0));
    for (const auto field : kMeansOfQueries) means.*field /= head.queries;
  }
  return all;
}

}  // namespace headlight
