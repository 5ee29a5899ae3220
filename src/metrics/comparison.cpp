#include "metrics/comparison.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/utf8.h"

namespace headlight {
namespace {

std::string joined_names(const LabelSet& labels, const std::vector<std::size_t>& numbers) {
  std::string names;
  for (const std::size_t number : numbers) {
    names += (names.empty() ? "" : " | ") + labels.names[number];
  }
  return names;
}

std::vector<std::size_t> renumbered(const std::vector<std::size_t>& labels,
                                    const std::vector<std::size_t>& numbers) {
  std::vector<std::size_t> renumbered;
  renumbered.reserve(labels.size());
  for (const std::size_t label : labels) renumbered.push_back(numbers[label]);
  std::ranges::sort(renumbered);
  return renumbered;
}

}  // namespace

std::vector<std::size_t> matching_labels(const Rival& first, const Rival& second,
                                         const std::string& option) {
  constexpr std::size_t kListed = 12;
  for (const auto& rival : {first, second}) {
    if (rival.labels.problem_type != ProblemType::regression) continue;
    throw Error(rival.name, "predicts a value, but " + option + " needs labels");
  }
  std::vector<std::size_t> numbers;
  for (const auto& name : first.labels.names) {
    const auto found = std::ranges::find(second.labels.names, name);
    if (found == second.labels.names.end()) break;
    numbers.push_back(static_cast<std::size_t>(found - second.labels.names.begin()));
  }
  const std::size_t labels = first.labels.names.size();
  if (numbers.size() == labels && second.labels.names.size() == labels &&
      first.labels.problem_type == second.labels.problem_type) {
    return numbers;
  }
  throw Error(second.name,
              "has other labels (" + listed(second.labels.names, kListed) + ") than " + first.name +
                  " (" + listed(first.labels.names, kListed) + ")",
              option + " needs two models with the same labels");
}

double exact_mcnemar(std::size_t first_only, std::size_t second_only) {
  const auto n = static_cast<double>(first_only + second_only);
  const std::size_t fewer = std::min(first_only, second_only);
  double tail = 0.0;
  for (std::size_t i = 0; i <= fewer; ++i) {
    const auto k = static_cast<double>(i);
    tail += std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) -
                     n * std::log(2.0));
  }
  return std::min(1.0, 2.0 * tail);
}

ModelComparison::ModelComparison(Rival first, Rival second)
    : first_(std::move(first)),
      second_(std::move(second)),
      numbers_(matching_labels(first_, second_, "--compare")),
      evaluator_(second_.labels, /*keep_logits=*/false) {
  comparison_.first_name = first_.name;
  comparison_.second_name = second_.name;
}

void ModelComparison::add_error() {
  ++comparison_.errors;
  evaluator_.add_error();
}

void ModelComparison::add(const Row& row, const Gold& gold, const Prediction& first,
                          const Prediction& second) {
  const Gold gold_second{renumbered(gold.labels, numbers_), gold.value, gold.unknown};
  if (second.error.empty()) {
    evaluator_.add(gold_second, second);
  } else {
    evaluator_.add_error();
  }
  if (!first.error.empty() || !second.error.empty()) {
    ++comparison_.errors;
    return;
  }
  const auto given_first = given_labels(first_.labels, first);
  const auto given_second = given_labels(second_.labels, second);
  if (renumbered(given_first, numbers_) == given_second) ++comparison_.agreeing;
  const Gold nearest_first = nearest_gold(first_.labels, gold, first);
  const Gold nearest_second = nearest_gold(second_.labels, gold_second, second);
  const bool known = nearest_first.unknown.empty();
  const bool first_right = known && given_first == nearest_first.labels;
  const bool second_right = known && given_second == nearest_second.labels;
  if (first_right && second_right) ++comparison_.both;
  if (!first_right && !second_right) ++comparison_.neither;
  if (first_right == second_right) return;
  ++(first_right ? comparison_.first_only : comparison_.second_only);
  comparison_.disputed.push_back(
      {row.id, row.line, row.input, joined_names(first_.labels, gold.labels),
       joined_names(first_.labels, given_first), joined_names(second_.labels, given_second)});
}

Comparison ModelComparison::measure() const {
  Comparison comparison = comparison_;
  comparison.second = evaluator_.measure();
  const std::size_t gained = comparison.second_only;
  const std::size_t lost = comparison.first_only;
  comparison.p_value = exact_mcnemar(lost, gained);
  if (comparison.rows() == 0) return comparison;
  comparison.accuracy_change = (static_cast<double>(gained) - static_cast<double>(lost)) /
                               static_cast<double>(comparison.rows());
  comparison.accuracy_change_interval =
      paired_interval(gained, lost, comparison.rows(), evaluator_.distinct());
  return comparison;
}

}  // namespace headlight
