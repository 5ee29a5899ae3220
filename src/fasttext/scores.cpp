#include "fasttext/scores.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "base/error.h"
#include "math/functions.h"

namespace headlight {
namespace {

constexpr float kWidest = 8.0F;  // of the table of sigmoids
constexpr std::size_t kSteps = 512;
constexpr double kAdded = 1e-5;  // to each probability
constexpr auto kLeast = static_cast<float>(kAdded);

float logarithm(float probability) {
  return static_cast<float>(std::log(static_cast<double>(probability) + kAdded));
}

}  // namespace

/// The k best scores, kept as the original does, so that equal ones come in its order.
class FasttextScorer::BestLabels {
 public:
  explicit BestLabels(std::size_t most) : most_(most) {}

  /// Whether a score would be dropped.
  bool is_too_low(float score) const {
    return heap_.size() == most_ && score < heap_.front().first;
  }
  void add(float score, std::size_t label) {
    heap_.emplace_back(score, label);
    std::push_heap(heap_.begin(), heap_.end(), is_better);
    if (heap_.size() <= most_) return;
    std::pop_heap(heap_.begin(), heap_.end(), is_better);
    heap_.pop_back();
  }
  void sort_into(std::vector<std::size_t>& labels) {
    std::sort_heap(heap_.begin(), heap_.end(), is_better);
    labels.clear();
    for (const auto& [score, label] : heap_) labels.push_back(label);
  }
  /// That of the last of the k best; empty if they are fewer.
  std::optional<float> lowest() const {
    return heap_.size() == most_ && most_ > 0 ? std::optional(heap_.front().first) : std::nullopt;
  }

 private:
  using Scored = std::pair<float, std::size_t>;
  static bool is_better(const Scored& a, const Scored& b) { return a.first > b.first; }

  std::size_t most_;
  std::vector<Scored> heap_;
};

namespace {

/// Probabilities of logits, bit by bit those of the original: with many labels, the order of those
/// that hardly differ depends on it.
void softmax(std::vector<float>& numbers) {
  const float top = *std::ranges::max_element(numbers);
  float sum = 0.0F;
  for (float& number : numbers) {
    number = static_cast<float>(std::exp(static_cast<double>(number - top)));
    sum += number;
  }
  for (float& number : numbers) number /= sum;
}

std::vector<float> sigmoid_table() {
  std::vector<float> table(kSteps + 1);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const float x = static_cast<float>(2 * i) * kWidest / static_cast<float>(kSteps) - kWidest;
    table[i] = static_cast<float>(1.0 / (1.0 + static_cast<double>(std::exp(-x))));
  }
  return table;
}

float sigmoid_of(const std::vector<float>& table, float x) {
  if (x < -kWidest) return 0.0F;
  if (x > kWidest) return 1.0F;
  return table[static_cast<std::size_t>((x + kWidest) * static_cast<float>(kSteps) / kWidest / 2)];
}

}  // namespace

FasttextScorer::FasttextScorer(const std::string& path, const FasttextTable& output,
                               FasttextLoss loss, const std::vector<std::int64_t>& counts)
    : output_(output), loss_(loss), labels_(counts.size()), sigmoids_(sigmoid_table()) {
  if (loss == FasttextLoss::hierarchical_softmax) build_tree(counts);
  if (output.is_quantised()) return;  // its centroids were checked
  std::vector<float> row(output.width());
  columns_.resize(row.size() * labels_);
  for (std::size_t label = 0; label < labels_; ++label) {
    std::ranges::fill(row, 0.0F);
    output.add_row(label, row.data());
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!std::isfinite(row[i])) {
        throw Error(path, "row " + std::to_string(label) +
                              " of the output matrix has a number that is not finite");
      }
      columns_[i * labels_ + label] = row[i];
    }
  }
}

void FasttextScorer::build_tree(const std::vector<std::int64_t>& counts) {
  constexpr std::int64_t kUnset = 1'000'000'000'000'000;
  tree_.assign(2 * labels_ - 1, {kUnset, SIZE_MAX, SIZE_MAX});
  for (std::size_t i = 0; i < labels_; ++i) tree_[i].count = counts[i];
  std::size_t leaves = labels_;  // that have no parent, most frequent first
  std::size_t inner = labels_;   // the first node that has none
  for (std::size_t i = labels_; i < tree_.size(); ++i) {
    const auto smallest = [&] {
      return leaves > 0 && tree_[leaves - 1].count < tree_[inner].count ? --leaves : inner++;
    };
    tree_[i].left = smallest();
    tree_[i].right = smallest();
    tree_[i].count = tree_[tree_[i].left].count + tree_[tree_[i].right].count;
  }
}

void FasttextScorer::multiply(std::span<const float> x, std::vector<float>& out) const {
  out.assign(labels_, 0.0F);
  if (output_.is_quantised()) {
    for (std::size_t label = 0; label < labels_; ++label) out[label] = output_.dot(label, x.data());
    return;
  }
  // Each label has its sum in the order of the columns; four of them are read at once.
  std::size_t i = 0;
  for (; i + 4 <= x.size(); i += 4) {
    const float* const column = &columns_[i * labels_];
    for (std::size_t label = 0; label < labels_; ++label) {
      float sum = out[label] + column[label] * x[i];
      sum += column[labels_ + label] * x[i + 1];
      sum += column[2 * labels_ + label] * x[i + 2];
      out[label] = sum + column[3 * labels_ + label] * x[i + 3];
    }
  }
  for (; i < x.size(); ++i) {
    const float* const column = &columns_[i * labels_];
    for (std::size_t label = 0; label < labels_; ++label) out[label] += column[label] * x[i];
  }
}

void FasttextScorer::score(std::span<const float> mean, std::size_t most, bool all,
                           FasttextScores& scores) const {
  most = std::min(most, labels_);
  scores.ranked.clear();
  scores.printed.clear();
  multiply(mean, scores.logits);
  if (!all_finite(scores.logits)) return;
  if (loss_ == FasttextLoss::hierarchical_softmax) return score_tree(most, all, scores);
  std::vector<float>& printed = scores.printed;
  printed = scores.logits;
  if (loss_ == FasttextLoss::softmax) {
    softmax(printed);
  } else {
    for (float& x : printed) x = sigmoid_of(sigmoids_, x);
  }
  if (most > 0) rank(printed, most, scores.ranked);
  for (float& p : printed) p = static_cast<float>(static_cast<double>(p) + kAdded);
}

void FasttextScorer::rank(const std::vector<float>& probabilities, std::size_t most,
                          std::vector<std::size_t>& ranked) {
  constexpr double kAsGood = 4e-6;  // more than the rounding of a logarithm
  BestLabels best(most);
  float least = 0.0F;  // what is below it has a smaller logarithm than the k best
  for (std::size_t label = 0; label < probabilities.size(); ++label) {
    if (probabilities[label] < least) continue;
    const float log = logarithm(probabilities[label]);
    if (best.is_too_low(log)) continue;
    best.add(log, label);
    if (const auto lowest = best.lowest()) {
      least = static_cast<float>(std::exp(static_cast<double>(*lowest)) * (1.0 - kAsGood) - kAdded);
    }
  }
  best.sort_into(ranked);
}

/// A walk through the tree, which the original ends where no label can be among the k best.
void FasttextScorer::search(std::size_t most, FasttextScores& scores) const {
  struct Place {
    std::size_t node;
    float score;  // as the original computes it, which decides the order
  };
  const float lowest = logarithm(0.0F);
  BestLabels best(most);
  std::vector<Place> waiting = {{tree_.size() - 1, 0.0F}};
  while (!waiting.empty()) {
    const Place place = waiting.back();
    waiting.pop_back();
    if (place.score < lowest || best.is_too_low(place.score)) continue;
    const Node& node = tree_[place.node];
    if (node.left == SIZE_MAX) {
      best.add(place.score, place.node);
      continue;
    }
    const float x = scores.logits[place.node - labels_];
    const auto right = static_cast<float>(1.0 / static_cast<double>(1.0F + std::exp(-x)));
    waiting.push_back({node.right, place.score + logarithm(right)});
    waiting.push_back({node.left, place.score + logarithm(1.0F - right)});
  }
  best.sort_into(scores.ranked);
}

/// The label whose probability is far above that of all others; empty: there is none.
std::optional<std::size_t> FasttextScorer::clear_winner(std::span<const float> probabilities) {
  constexpr float kFar = 2.0F;      // they are exact to a few percent
  constexpr float kLeastP = 1e-3F;  // below it, the original may say nothing
  constexpr std::size_t kLanes = 8;
  std::array<float, 2 * kLanes> best{};  // of each lane, then the second ones
  const auto add = [&](std::size_t lane, float p) {
    best[kLanes + lane] = std::max(best[kLanes + lane], std::min(best[lane], p));
    best[lane] = std::max(best[lane], p);
  };
  std::size_t i = 0;
  for (; i + kLanes <= probabilities.size(); i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) add(lane, probabilities[i + lane]);
  }
  for (; i < probabilities.size(); ++i) add(0, probabilities[i]);
  std::partial_sort(best.begin(), best.begin() + 2, best.end(), std::greater());
  if (best[0] < kLeastP || best[0] < kFar * best[1]) return std::nullopt;
  return std::ranges::find(probabilities, best[0]) - probabilities.begin();
}

void FasttextScorer::score_tree(std::size_t most, bool all, FasttextScores& scores) const {
  std::vector<float>& chances = scores.chances;  // of the inner nodes: left, then right
  chances.resize(2 * labels_);
  float* const right = &chances[labels_];
  std::ranges::copy(scores.logits, right);  // the first c - 1: those of the inner nodes
  activate(Activation::sigmoid, Matrix(right, 1, labels_));
  for (std::size_t i = 0; i < labels_; ++i) {
    chances[i] = 1.0F - right[i] + kLeast;
    right[i] += kLeast;
  }
  scores.products.resize(tree_.size());
  float* const products = scores.products.data();
  products[tree_.size() - 1] = 1.0F;
  for (std::size_t node = tree_.size(); node-- > labels_;) {
    products[tree_[node].left] = products[node] * chances[node - labels_];
    products[tree_[node].right] = products[node] * right[node - labels_];
  }
  scores.printed.assign(products, products + labels_);
  if (most > 0) {
    const auto winner = most == 1 ? clear_winner(scores.printed) : std::nullopt;
    if (winner) {
      scores.ranked.assign(1, *winner);
    } else {
      search(most, scores);
    }
  }
  if (all) {
    sum_logs(scores);
  } else {
    std::ranges::fill(scores.logits, 0.0F);
    for (const std::size_t label : scores.ranked) {
      scores.logits[label] = std::log(scores.printed[label]);
    }
  }
}

void FasttextScorer::sum_logs(FasttextScores& scores) const {
  take_logs(scores.chances);
  scores.sums.resize(tree_.size());
  float* const sums = scores.sums.data();
  sums[tree_.size() - 1] = 0.0F;
  for (std::size_t node = tree_.size(); node-- > labels_;) {
    const std::size_t i = node - labels_;
    sums[tree_[node].left] = sums[node] + scores.chances[i];
    sums[tree_[node].right] = sums[node] + scores.chances[labels_ + i];
  }
  scores.logits.assign(sums, sums + labels_);
}

}  // namespace headlight
