#include "inside/faithfulness.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <utility>

#include "base/error.h"
#include "inside/strongest.h"

namespace headlight {
namespace {

constexpr std::size_t kShares = 5;      // 10 … 50 %
constexpr std::size_t kBeam = 4;        // sets of words kept at each size
constexpr std::size_t kExactBeam = 70;  // the most sets of one size out of kExactlyOrdered words
// Longer texts have more sets than can be scored: a narrower beam, and only the words that do most
// alone are tried. The number of scored texts then grows with the number of words, not its square.
constexpr std::size_t kLong = 24;  // words
constexpr std::size_t kLongBeam = 2;
constexpr std::size_t kLongTried = 16;  // words that are tried for each set

/// What is done with the first words of an order.
enum class Use : std::uint8_t { leave_out, keep };

/// The number of words for each share.
std::vector<std::size_t> counts_of(std::size_t words) {
  std::vector<std::size_t> counts;
  for (std::size_t tenth = 1; tenth <= kShares; ++tenth) counts.push_back((words * tenth + 9) / 10);
  return counts;
}

/// Measures orders of the words by one use of their first words.
class Orders {
 public:
  /// The whole text must have been scored.
  Orders(WordSubsets& subsets, Use use)
      : subsets_(subsets),
        counts_(counts_of(subsets.size())),
        use_(use),
        label_(subsets.at(subsets.all()).best) {}

  /// The mean change of the score over the shares. Empty if stopped.
  std::optional<double> measure(const WordOrder& order) {
    std::vector<KeptWords> sets;
    for (const std::size_t count : counts_) {
      KeptWords first = subsets_.none();
      for (std::size_t i = 0; i < count; ++i) first[order[i]] = true;
      sets.push_back(kept_of(std::move(first)));
    }
    if (!subsets_.score(sets)) return std::nullopt;
    double sum = 0.0;
    for (const KeptWords& set : sets) sum += change(set);
    return sum / kShares;
  }

  /// The largest mean over all orders, or the smallest if `sign` is -1. Empty if stopped.
  std::optional<double> search(double sign) {
    const std::size_t n = subsets_.size();
    const std::size_t beam = n <= kExactlyOrdered ? kExactBeam : n <= kLong ? kBeam : kLongBeam;
    WordOrder words(n);
    std::iota(words.begin(), words.end(), std::size_t{0});
    Sums sums = {{subsets_.none(), 0.0}};
    for (std::size_t size = 1; size <= counts_.back(); ++size) {
      const Sums next = grown(sums, words, size == 1 || n <= kLong ? n : kLongTried);
      std::vector<KeptWords> texts;
      texts.reserve(next.size());
      for (const auto& [set, sum] : next) texts.push_back(kept_of(set));
      if (!subsets_.score(texts)) return std::nullopt;
      if (size == 1) words = by_effect(sign);
      sums = best(next, size, sign, beam);
    }
    double largest = -std::numeric_limits<double>::infinity();
    for (const auto& [set, sum] : sums) largest = std::max(largest, sum);
    return sign * largest / kShares;
  }

 private:
  /// Of the sets of one size.
  using Sums = std::map<KeptWords, double>;

  KeptWords kept_of(KeptWords first) const {
    if (use_ == Use::leave_out) first.flip();
    return first;
  }

  double score_of(const KeptWords& set) const {
    const Prediction& prediction = subsets_.at(set);
    return prediction.scores.empty() ? prediction.logits[label_] : prediction.scores[label_];
  }
  double change(const KeptWords& set) const { return score_of(subsets_.all()) - score_of(set); }

  /// The words that change the score most alone first; all were scored.
  WordOrder by_effect(double sign) const {
    std::vector<double> effects;
    for (std::size_t word = 0; word < subsets_.size(); ++word) {
      KeptWords alone = subsets_.none();
      alone[word] = true;
      effects.push_back(sign * change(kept_of(std::move(alone))));
    }
    return strongest(effects);
  }

  /// The sets with one more of the first `most` words that they lack, with the best sum that leads
  /// to each.
  static Sums grown(const Sums& sums, const WordOrder& words, std::size_t most) {
    Sums next;
    for (const auto& [set, sum] : sums) {
      std::size_t tried = 0;
      for (const std::size_t word : words) {
        if (set[word]) continue;
        if (++tried > most) break;
        KeptWords larger = set;
        larger[word] = true;
        const auto [known, is_new] = next.emplace(std::move(larger), sum);
        if (!is_new) known->second = std::max(known->second, sum);
      }
    }
    return next;
  }

  /// The `most` best sets, with the changes at their size added to their sums. Sets are ranked as
  /// if their change stayed the same for larger ones.
  Sums best(const Sums& sets, std::size_t size, double sign, std::size_t most) const {
    const auto now = static_cast<double>(std::ranges::count(counts_, size));
    const auto later = static_cast<double>(
        std::ranges::count_if(counts_, [&](std::size_t count) { return count > size; }));
    std::vector<std::pair<KeptWords, double>> all;
    std::vector<double> hopes;
    for (const auto& [set, before] : sets) {
      const double each = sign * change(kept_of(set));
      all.emplace_back(set, before + now * each);
      hopes.push_back(all.back().second + later * each);
    }
    Sums kept;
    for (const std::size_t i : strongest(hopes, most)) kept.insert(all[i]);
    return kept;
  }

  WordSubsets& subsets_;
  std::vector<std::size_t> counts_;
  Use use_;
  std::size_t label_;
};

/// 0 for `worst`, 1 for `best`.
std::optional<double> normalized(double value, double worst, double best) {
  if (worst == best) return std::nullopt;
  return (value - worst) / (best - worst);
}

}  // namespace

WordOrder order_of_words(const Explanation& explanation) {
  std::vector<double> effects;
  for (const std::size_t word : explanation.read) {
    effects.push_back(explanation.words[word].effect[explanation.prediction.best]);
  }
  return strongest(effects);
}

std::optional<std::vector<Faithfulness>> faithfulness_of(WordSubsets& subsets,
                                                         std::span<const WordOrder> given) {
  if (subsets.size() < 2) throw TextError("has fewer than 2 words, whose order cannot be judged");
  const std::vector<KeptWords> whole = {subsets.all()};
  if (!subsets.score(whole)) return std::nullopt;
  std::vector<Faithfulness> found(given.size());
  const auto measure_all = [&](Use use, double Faithfulness::*value,
                               std::optional<double> Faithfulness::*relative) {
    Orders orders(subsets, use);
    const auto highest = orders.search(1.0);
    const auto lowest = orders.search(-1.0);
    if (!highest || !lowest) return false;
    double high = *highest;
    double low = *lowest;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const auto measured = orders.measure(given[i]);
      if (!measured) return false;
      found[i].*value = *measured;
      high = std::max(high, *measured);
      low = std::min(low, *measured);
    }
    for (Faithfulness& each : found) {
      each.*relative = use == Use::leave_out ? normalized(each.*value, low, high)
                                             : normalized(each.*value, high, low);
    }
    return true;
  };
  if (!measure_all(Use::leave_out, &Faithfulness::comprehensiveness,
                   &Faithfulness::normalized_comprehensiveness) ||
      !measure_all(Use::keep, &Faithfulness::sufficiency, &Faithfulness::normalized_sufficiency)) {
    return std::nullopt;
  }
  return found;
}

Faithfulness mean_faithfulness(std::span<const Faithfulness> all) {
  const auto mean_of = [&](auto value) {
    double sum = 0.0;
    std::size_t count = 0;
    for (const Faithfulness& each : all) {
      const std::optional<double> own = each.*value;
      if (!own) continue;
      sum += *own;
      ++count;
    }
    return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
  };
  Faithfulness mean;
  mean.comprehensiveness = mean_of(&Faithfulness::comprehensiveness).value_or(0.0);
  mean.sufficiency = mean_of(&Faithfulness::sufficiency).value_or(0.0);
  mean.normalized_comprehensiveness = mean_of(&Faithfulness::normalized_comprehensiveness);
  mean.normalized_sufficiency = mean_of(&Faithfulness::normalized_sufficiency);
  return mean;
}

std::vector<WordOrder> random_orders(std::size_t words) {
  constexpr std::size_t kOrders = 10;
  std::mt19937_64 random(0);
  WordOrder order(words);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<WordOrder> orders;
  for (std::size_t each = 0; each < kOrders; ++each) {
    for (std::size_t i = words; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    orders.push_back(order);
  }
  return orders;
}

}  // namespace headlight
