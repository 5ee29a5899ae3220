#include "inside/attention_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/tensor.h"

namespace headlight {
namespace {

/// The fields that are means over queries.
constexpr std::array kMeansOfQueries = {&HeadStatistics::max,      &HeadStatistics::entropy,
                                        &HeadStatistics::distance, &HeadStatistics::self,
                                        &HeadStatistics::previous, &HeadStatistics::next,
                                        &HeadStatistics::special};

/// |i − j| of n tokens, [n, n].
Tensor<2> distances(std::size_t n) {
  const Tensor<1> places = xt::arange<double>(static_cast<double>(n));
  return xt::abs(column(places) - places);
}

/// [n, 1]: 1 for special tokens, else 0.
Tensor<2> special_tokens(std::span<const Sequence> tokens) {
  Tensor<2> special(TensorShape<2>{tokens.size(), 1});
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    special(i, 0) = tokens[i] == Sequence::none ? 1.0 : 0.0;
  }
  return special;
}

/// The sums over one head's weights a [n, n].
HeadSums sums_of(const Tensor<2>& a, const Tensor<2>& distances, const Tensor<2>& special) {
  const Tensor<1> largest = xt::amax(a, {1});
  const Tensor<2> on_special = product(a, special);  // [n, 1]
  HeadSums head;
  head.weights = static_cast<double>(a.size());
  head.queries = static_cast<double>(a.shape(0));
  head.squares = inner_product(a, a);
  head.sums.mean = xt::sum(a)();
  head.sums.max = xt::sum(largest)();
  // The difference from 0, since −0 would be printed with its sign.
  head.sums.entropy = 0.0 - xt::sum(xt::where(a > 0.0, a * xt::log(a), 0.0))();
  head.sums.distance = inner_product(a, distances);
  head.sums.self = xt::sum(xt::diagonal(a))();
  if (a.shape(0) > 1) {
    head.sums.previous = xt::sum(xt::diagonal(a, -1))();
    head.sums.next = xt::sum(xt::diagonal(a, 1))();
  }
  head.sums.special = xt::sum(on_special)();
  return head;
}

}  // namespace

void AttentionSums::add(const std::vector<std::vector<float>>& layers,
                        std::span<const Sequence> tokens) {
  const std::size_t n = tokens.size();
  const Tensor<2> apart = distances(n);
  const Tensor<2> special = special_tokens(tokens);
  Tensor<2> a(TensorShape<2>{n, n});  // one head's weights; memory reused for all heads
  AttentionSums text;
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const std::span<const float> weights = layers[layer];  // [h, n, n]
    for (std::size_t number = 0; number < weights.size() / (n * n); ++number) {
      xt::noalias(a) = view_of<2>(weights.subspan(number * n * n, n * n), {n, n});
      HeadSums& head = text.heads_.emplace_back(sums_of(a, apart, special));
      head.sums.layer = layer;
      head.sums.head = number;
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
    HeadSums& head = heads_[i];
    const HeadSums& more = other.heads_[i];
    head.weights += more.weights;
    head.queries += more.queries;
    head.squares += more.squares;
    head.sums.mean += more.sums.mean;
    for (const auto field : kMeansOfQueries) head.sums.*field += more.sums.*field;
  }
}

std::vector<HeadStatistics> AttentionSums::statistics() const {
  std::vector<HeadStatistics> all;
  for (const HeadSums& head : heads_) {
    HeadStatistics& means = all.emplace_back(head.sums);
    means.mean /= head.weights;
    means.std = std::sqrt(std::max(head.squares / head.weights - means.mean * means.mean, 0.0));
    for (const auto field : kMeansOfQueries) means.*field /= head.queries;
  }
  return all;
}

}  // namespace headlight
