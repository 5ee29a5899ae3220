#include "inside/shapley.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "inside/word_subsets.h"

namespace headlight {
namespace {

constexpr std::size_t kPairsAtOnce = 8;  // pairs of orders between two looks at the errors
constexpr double kSmallError = 0.05;     // standard error, of the largest effect
constexpr std::size_t kMostExactWords = 16;

/// All orders begin without words and end with all of them.
std::size_t sampled_texts(std::size_t words, std::size_t samples) {
  return words == 0 ? 1 : samples * (words - 1) + 2;
}

/// Whether all sets of words are at most as many texts as `samples` orders need.
bool is_exact(std::size_t words, std::size_t samples) {
  return words <= kMostExactWords && (std::size_t{1} << words) <= sampled_texts(words, samples);
}

/// For each word and label, the mean of samples and the sum of their squared differences from it.
struct Means {
  Means(std::size_t words, std::size_t labels)
      : mean(words * labels, 0.0), squares(words * labels, 0.0), c(labels) {}

  /// One sample of each word and label.
  void add(const std::vector<double>& sample) {
    ++count;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      const double before = sample[i] - mean[i];
      mean[i] += before / static_cast<double>(count);
      squares[i] += before * (sample[i] - mean[i]);
    }
  }
  double error(std::size_t i) const {
    const auto n = static_cast<double>(count);
    return count < 2 ? 0.0 : std::sqrt(squares[i] / (n - 1.0) / n);
  }
  bool is_precise() const {
    if (count < 2) return false;
    double largest = 0.0;
    double worst = 0.0;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      largest = std::max(largest, std::abs(mean[i]));
      worst = std::max(worst, error(i));
    }
    return worst <= kSmallError * largest;
  }

  std::vector<double> mean;     // [words, c]
  std::vector<double> squares;  // [words, c]
  std::size_t c;
  std::size_t count = 0;
};

KeptWords set_of(std::size_t bits, std::size_t words) {
  KeptWords kept(words);
  for (std::size_t i = 0; i < words; ++i) kept[i] = ((bits >> i) & 1U) != 0;
  return kept;
}

/// φ_i = Σ over sets S without i of |S|! (n - |S| - 1)! / n! · (v(S ∪ i) - v(S)). Empty if stopped.
std::optional<Means> exact_values(WordSubsets& subsets) {
  const std::size_t n = subsets.size();
  std::vector<KeptWords> sets;
  for (std::size_t bits = 0; bits < (std::size_t{1} << n); ++bits) sets.push_back(set_of(bits, n));
  if (!subsets.score(sets)) return std::nullopt;
  const std::size_t c = subsets.at(subsets.all()).logits.size();
  Means values(n, c);
  std::vector<double> weights(n);  // by |S|
  for (std::size_t size = 0; size < n; ++size) {
    weights[size] = std::exp(std::lgamma(static_cast<double>(size) + 1.0) +
                             std::lgamma(static_cast<double>(n - size)) -
                             std::lgamma(static_cast<double>(n) + 1.0));
  }
  for (const KeptWords& set : sets) {
    const auto size = static_cast<std::size_t>(std::count(set.begin(), set.end(), true));
    const auto& without = subsets.at(set).logits;
    for (std::size_t word = 0; word < n; ++word) {
      if (set[word]) continue;
      KeptWords joined = set;
      joined[word] = true;
      const auto& with = subsets.at(joined).logits;
      for (std::size_t label = 0; label < c; ++label) {
        values.mean[word * c + label] += weights[size] * (static_cast<double>(with[label]) -
                                                          static_cast<double>(without[label]));
      }
    }
  }
  return values;
}

/// The sets that an order goes through, from no words to all.
std::vector<KeptWords> sets_along(const WordNumbers& order) {
  std::vector<KeptWords> sets = {KeptWords(order.size(), false)};
  for (const std::size_t word : order) {
    sets.push_back(sets.back());
    sets.back()[word] = true;
  }
  return sets;
}

/// Adds half of what each word changes along an order to `sample` [words, c].
void add_changes(const WordSubsets& subsets, const WordNumbers& order,
                 std::vector<double>& sample) {
  const auto sets = sets_along(order);
  const std::size_t c = sample.size() / order.size();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& before = subsets.at(sets[i]).logits;
    const auto& after = subsets.at(sets[i + 1]).logits;
    for (std::size_t label = 0; label < c; ++label) {
      sample[order[i] * c + label] +=
          0.5 * (static_cast<double>(after[label]) - static_cast<double>(before[label]));
    }
  }
}

/// Fisher and Yates' shuffle; std::shuffle differs between standard libraries.
void shuffle(WordNumbers& order, std::mt19937_64& random) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
}

/// Each sample is the mean of an order and its reverse, whose errors partly cancel. Empty if
/// stopped.
std::optional<Means> sampled_values(WordSubsets& subsets, const ShapleyOptions& options) {
  const std::size_t n = subsets.size();
  const std::size_t pairs = options.samples / 2;
  std::mt19937_64 random(options.seed);
  WordNumbers order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::optional<Means> values;
  while (!values || (values->count < pairs && !values->is_precise())) {
    std::vector<WordNumbers> orders;
    std::vector<KeptWords> sets;
    const std::size_t done = values ? values->count : 0;
    for (std::size_t i = 0; i < std::min(kPairsAtOnce, pairs - done); ++i) {
      shuffle(order, random);
      for (const WordNumbers& each : {order, WordNumbers(order.rbegin(), order.rend())}) {
        orders.push_back(each);
        for (KeptWords& set : sets_along(each)) sets.push_back(std::move(set));
      }
    }
    if (!subsets.score(sets)) return std::nullopt;
    const std::size_t c = subsets.at(subsets.all()).logits.size();
    if (!values) values.emplace(n, c);
    for (std::size_t i = 0; i < orders.size(); i += 2) {
      std::vector<double> sample(n * c, 0.0);
      add_changes(subsets, orders[i], sample);
      add_changes(subsets, orders[i + 1], sample);
      values->add(sample);
    }
  }
  return values;
}

}  // namespace

std::size_t shapley_texts(std::size_t words, const ShapleyOptions& options) {
  if (is_exact(words, options.samples)) return std::size_t{1} << words;
  return sampled_texts(words, options.samples);
}

std::optional<Explanation> explain_by_shapley(const TextClassifier& classifier,
                                              const TextInput& input, const ShapleyOptions& options,
                                              const ExplanationWatch& watch) {
  WordSubsets subsets(classifier, input, watch);
  const std::vector<KeptWords> whole = {subsets.all()};
  if (!subsets.score(whole)) return std::nullopt;
  Explanation explanation;
  explanation.method = ExplanationMethod::shapley;
  explanation.words = subsets.text().words;
  explanation.read = subsets.text().read;
  explanation.input = subsets.text().joined;
  explanation.prediction = subsets.at(whole.front());
  explanation.sampling.emplace();
  explanation.sampling->exact = is_exact(subsets.size(), options.samples);
  for (ExplainedWord& word : explanation.words) {
    word.effect.assign(explanation.prediction.logits.size(), 0.0F);
    word.standard_error = word.effect;
  }
  if (subsets.size() == 0) return explanation;
  const auto values =
      explanation.sampling->exact ? exact_values(subsets) : sampled_values(subsets, options);
  if (!values) return std::nullopt;
  explanation.sampling->orders = 2 * values->count;
  for (std::size_t i = 0; i < values->mean.size(); ++i) {
    ExplainedWord& word = explanation.words[explanation.read[i / values->c]];
    word.effect[i % values->c] = static_cast<float>(values->mean[i]);
    word.standard_error[i % values->c] = static_cast<float>(values->error(i));
  }
  return explanation;
}

}  // namespace headlight
