#include "metrics/ranking.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace headlight {
namespace {

double discounted_gain(const std::vector<Answer>& answers, std::size_t k) {
  double gain = 0.0;
  for (std::size_t i = 0; i < std::min(k, answers.size()); ++i) {
    gain += std::max(answers[i].relevance, 0.0) / std::log2(static_cast<double>(i + 2));
  }
  return gain;
}

Measure mean_measure(const char* field, const char* name, const std::vector<double>& values) {
  Mean mean = mean_of(values);
  if (auto& i = mean.interval) i = {std::max(i->low, 0.0), std::min(i->high, 1.0)};
  return {field, name, mean.value, mean.interval, Unit::share};
}

}  // namespace

std::vector<Measure> ranking_measures(const Rankings& rankings, std::size_t k) {
  std::array<std::vector<double>, 3> values;  // of each query
  for (const auto& entry : rankings) {
    std::vector<Answer> answers = entry.second;
    std::ranges::stable_sort(answers, std::ranges::greater(), &Answer::score);
    const auto cut = answers.begin() + static_cast<std::ptrdiff_t>(std::min(k, answers.size()));
    const auto is_relevant = [](const Answer& answer) { return answer.relevance > 0.0; };
    const auto first = std::find_if(answers.begin(), cut, is_relevant);
    const auto found = static_cast<double>(std::count_if(answers.begin(), cut, is_relevant));
    const auto all = static_cast<double>(std::ranges::count_if(answers, is_relevant));
    const double gain = discounted_gain(answers, k);
    values[1].push_back(first == cut ? 0.0
                                     : 1.0 / static_cast<double>(first - answers.begin() + 1));
    values[2].push_back(all > 0.0 ? found / all : 0.0);
    std::ranges::sort(answers, std::ranges::greater(), &Answer::relevance);
    values[0].push_back(all > 0.0 ? gain / discounted_gain(answers, k) : 0.0);
  }
  const auto count = static_cast<double>(rankings.size());
  return {{"queries", "queries", count, {}, Unit::count},
          mean_measure("ndcg", "nDCG@k", values[0]),
          mean_measure("mrr", "MRR@k", values[1]),
          mean_measure("recall", "recall@k", values[2])};
}

}  // namespace headlight
