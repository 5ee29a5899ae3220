#include "training/labels/confident_learning.h"

#include <algorithm>
#include <map>
#include <utility>

namespace headlight {
namespace {

std::size_t most_probable(std::span<const float> probabilities) {
  return static_cast<std::size_t>(std::ranges::max_element(probabilities) - probabilities.begin());
}

std::vector<double> thresholds_of(const ScoreTable& table, const GivenLabels& given) {
  constexpr double kEnough = 0.9;
  constexpr double kRounding = 1e-6;  // a row may be the only one with its label
  std::vector<double> sums(table.labels);
  std::vector<double> counts(table.labels);
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i]) continue;
    sums[*given[i]] += static_cast<double>(table.row(i)[*given[i]]);
    counts[*given[i]] += 1.0;
  }
  for (std::size_t k = 0; k < sums.size(); ++k) {
    sums[k] = counts[k] > 0.0 ? std::min(kEnough, sums[k] / counts[k] - kRounding) : 2.0;
  }
  return sums;
}

/// Changes what is suggested for rows that probably have `label` wrongly, or wrongly lack it.
void judge_alone(std::size_t label, bool is_known, const ScoreTable& probabilities,
                 std::span<const Gold> targets, std::map<std::size_t, Gold>& suggested) {
  ScoreTable table{2, {}};
  GivenLabels given;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const float present = probabilities.row(i)[label];
    table.values.insert(table.values.end(), {1.0F - present, present});
    const bool has = std::ranges::binary_search(targets[i].labels, label);
    given.push_back(is_known ? std::optional<std::size_t>(has ? 1 : 0) : std::nullopt);
  }
  for (const std::size_t row : improbable_rows(table, given)) {
    auto& labels = suggested.try_emplace(row, targets[row]).first->second.labels;
    const auto place = std::ranges::lower_bound(labels, label);
    given[row] == 1 ? labels.erase(place) : labels.insert(place, label);
  }
}

}  // namespace

GivenLabels confident_labels(const ScoreTable& probabilities, const GivenLabels& given) {
  const std::vector<double> thresholds = thresholds_of(probabilities, given);
  GivenLabels found(given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::span<const float> p = probabilities.row(i);
    for (std::size_t k = 0; given[i] && k < p.size(); ++k) {
      const bool passes = static_cast<double>(p[k]) >= thresholds[k];
      if (passes && (!found[i] || p[k] > p[*found[i]])) found[i] = k;
    }
  }
  return found;
}

std::vector<std::size_t> improbable_rows(const ScoreTable& probabilities,
                                         const GivenLabels& given) {
  const GivenLabels confident = confident_labels(probabilities, given);
  std::size_t wrong = 0;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (confident[i] && confident[i] != given[i]) ++wrong;
    if (given[i] && most_probable(probabilities.row(i)) != *given[i]) rows.push_back(i);
  }
  std::ranges::stable_sort(rows, {},
                           [&](std::size_t i) { return probabilities.row(i)[*given[i]]; });
  rows.resize(std::min(wrong, rows.size()));
  return rows;
}

double probability_of(const Gold& target, std::span<const float> probabilities,
                      ProblemType problem) {
  if (problem == ProblemType::single_label) {
    return static_cast<double>(probabilities[target.labels.front()]);
  }
  double least = 1.0;
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    const auto present = static_cast<double>(probabilities[k]);
    least = std::min(least, std::ranges::binary_search(target.labels, k) ? present : 1.0 - present);
  }
  return least;
}

std::vector<Suspect> find_suspects(ProblemType problem, const ScoreTable& probabilities,
                                   std::span<const Gold> targets, const std::vector<bool>& judged) {
  std::vector<Suspect> suspects;
  if (problem == ProblemType::single_label) {
    GivenLabels given(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (judged[targets[i].labels.front()]) given[i] = targets[i].labels.front();
    }
    for (const std::size_t i : improbable_rows(probabilities, given)) {
      suspects.push_back({i, {{most_probable(probabilities.row(i))}}});
    }
    return suspects;
  }
  std::map<std::size_t, Gold> suggested;
  for (std::size_t k = 0; k < judged.size(); ++k) {
    judge_alone(k, judged[k], probabilities, targets, suggested);
  }
  for (auto& [row, target] : suggested) suspects.push_back({row, std::move(target)});
  std::ranges::stable_sort(suspects, {}, [&](const Suspect& suspect) {
    return probability_of(targets[suspect.row], probabilities.row(suspect.row), problem);
  });
  return suspects;
}

}  // namespace headlight
