#include "inside/attention_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/tensor.h"

namespace headlight {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// |i − j| of n tokens, [n, n].
Tensor<2> distances(std::size_t n) {
  const Tensor<1> places = xt::arange<double>(static_cast<double>(n));
  return xt::abs(column(places) - places);
}

struct TokenKind {
  bool special, separator, sink;
};

std::vector<TokenKind> kinds_of(std::span<const Sequence> tokens) {
  std::vector<TokenKind> kinds;
  bool is_behind = false;  // a token of a text
  for (const Sequence token : tokens) {
    const bool special = token == Sequence::none;
    is_behind = is_behind || !special;
    kinds.push_back({special, special && is_behind, special && is_behind});
  }
  if (!kinds.empty()) kinds.front().sink = kinds.back().sink = true;
  return kinds;
}

/// The sum of −Σ a ln a of each query.
double entropy_of(const Tensor<2>& a) {
  // The difference from 0, since −0 would be printed with its sign.
  return 0.0 - xt::sum(xt::where(a > 0.0, a * xt::log(a), 0.0))();
}

/// The sums over one head's weights a [n, n], and the norms [n] of its value vectors, or none.
HeadSums sums_of(const Tensor<2>& a, const Tensor<2>& distances,
                 const std::vector<TokenKind>& kinds, std::span<const float> norms) {
  const Tensor<1> largest = xt::amax(a, {1});
  const Tensor<1> received = xt::sum(a, {0});  // [n] by each token
  HeadSums head;
  head.weights = static_cast<double>(a.size());
  head.queries = static_cast<double>(a.shape(0));
  head.squares = inner_product(a, a);
  head.sums.mean = xt::sum(a)();
  head.sums.max = xt::sum(largest)();
  head.sums.entropy = entropy_of(a);
  head.sums.distance = inner_product(a, distances);
  head.sums.self = xt::sum(xt::diagonal(a))();
  if (a.shape(0) > 1) {
    head.sums.previous = xt::sum(xt::diagonal(a, -1))();
    head.sums.next = xt::sum(xt::diagonal(a, 1))();
  }
  head.sums.first = received.front();
  head.sums.last = received.back();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i].special) head.sums.special += received(i);
    if (kinds[i].separator) head.sums.separator += received(i);
    if (kinds[i].separator) head.separators += 1.0;
    if (norms.empty()) continue;
    if (kinds[i].sink) {
      head.sink_weights += received(i);
      head.sums.sink_value_norm += received(i) * norms[i];
    } else {
      head.other_norms += norms[i];
      head.others += 1.0;
    }
  }
  return head;
}

/// x [n, n] with rows normalized to sum 1.
Tensor<2> normalized(const Tensor<2>& x) {
  const Tensor<1> sums = xt::sum(x, {1});
  return x / column(sums);
}

}  // namespace

double mean_entropy(std::span<const float> weights, std::size_t n) {
  const Tensor<2> a = view_of<2>(weights, {n, n});
  return entropy_of(a) / static_cast<double>(n);
}

HeadStatistics mean_of(const std::vector<HeadStatistics>& heads) {
  HeadStatistics mean;
  for (const auto& [name, value] : kStatisticsFields) {
    double count = 0.0;
    for (const HeadStatistics& head : heads) {
      if (!std::isnan(head.*value)) count += 1.0;
    }
    for (const HeadStatistics& head : heads) {
      if (!std::isnan(head.*value)) mean.*value += head.*value / count;
    }
    if (count == 0.0) mean.*value = kNone;
  }
  return mean;
}

void AttentionSums::add(const std::vector<std::vector<float>>& layers,
                        std::span<const Sequence> tokens,
                        const std::vector<std::vector<float>>& value_norms) {
  const std::size_t n = tokens.size();
  const Tensor<2> apart = distances(n);
  const std::vector<TokenKind> kinds = kinds_of(tokens);
  Tensor<2> a(TensorShape<2>{n, n});  // one head's weights; memory reused for all heads
  AttentionSums text;
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const std::span<const float> weights = layers[layer];  // [h, n, n]
    for (std::size_t number = 0; number < weights.size() / (n * n); ++number) {
      xt::noalias(a) = view_of<2>(weights.subspan(number * n * n, n * n), {n, n});
      const std::span<const float> norms =
          value_norms.empty() ? std::span<const float>()
                              : std::span(value_norms[layer]).subspan(number * n, n);
      HeadSums& head = text.heads_.emplace_back(sums_of(a, apart, kinds, norms));
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
    head.separators += more.separators;
    head.sink_weights += more.sink_weights;
    head.other_norms += more.other_norms;
    head.others += more.others;
    for (const auto& [name, value] : kStatisticsFields) head.sums.*value += more.sums.*value;
  }
}

std::vector<HeadStatistics> AttentionSums::statistics() const {
  std::vector<HeadStatistics> all;
  for (const HeadSums& head : heads_) {
    HeadStatistics& means = all.emplace_back(head.sums);
    for (const auto& [name, value] : kStatisticsFields) means.*value /= head.queries;
    means.mean = head.sums.mean / head.weights;
    if (head.separators == 0.0) means.separator = kNone;
    const double norms = head.other_norms / head.others * head.sink_weights;
    means.sink_value_norm = norms > 0.0 ? head.sums.sink_value_norm / norms : kNone;
    means.std = std::sqrt(std::max(head.squares / head.weights - means.mean * means.mean, 0.0));
  }
  return all;
}

std::vector<double> mean_over_heads(std::span<const float> heads, std::size_t matrix_size) {
  const TensorView<float, 2> all = view_of<2>(heads, {heads.size() / matrix_size, matrix_size});
  const Tensor<1> mean = xt::mean<double>(all, {0});
  return numbers_of(mean);
}

std::vector<double> attention_rollout(const std::vector<std::vector<float>>& layers, std::size_t n,
                                      std::span<const LayerDescription> described) {
  const Tensor<2> identity = xt::eye<double>(n);
  Tensor<2> rollout = identity;
  Tensor<2> source;  // of the encoder, if there is a decoder
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (source.size() == 0 && i + 1 < described.size() && described[i + 1].crosses) {
      source = rollout;
      rollout = xt::roll(identity, 1, 0);  // a decoder's token counts as the one that it repeats
    }
    const TensorView<float, 3> heads = view_of<3>(layers[i], {layers[i].size() / (n * n), n, n});
    Tensor<2> step = xt::mean<double>(heads, {0});
    if (described[i].crosses) {
      rollout = 0.5 * rollout + 0.5 * product(step, source);
      continue;
    }
    if (described[i].residual) step += identity;
    rollout = product(normalized(step), rollout);
  }
  return numbers_of(rollout);
}

std::vector<double> pooled_weights(std::span<const double> rollout, std::size_t n,
                                   std::optional<std::size_t> pooled_row) {
  const TensorView<double, 2> rows = view_of<2>(rollout, {n, n});
  Tensor<1> weights = xt::mean(rows, {0});
  if (pooled_row) weights = xt::view(rows, *pooled_row);
  return numbers_of(weights);
}

std::vector<double> pooled_weights(std::span<const double> rollout,
                                   std::span<const double> label_weights) {
  const std::size_t n = label_weights.size();
  const Tensor<2> weights = view_of<2>(label_weights, {1, n});
  const Tensor<2> matrix = view_of<2>(rollout, {n, n});
  return numbers_of(product(weights, matrix));
}

}  // namespace headlight
