#include "metrics/row_scores.h"

#include <algorithm>
#include <numeric>

namespace headlight {
namespace {

double variance_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double variance = 0.0;
  for (const double value : values) variance += (value - mean) * (value - mean) / n;
  return variance;
}

}  // namespace

bool is_correct(std::span<const float> logits, const Gold& gold, ProblemType problem) {
  if (!gold.unknown.empty()) return false;
  if (problem == ProblemType::single_label) {
    const auto best = std::ranges::max_element(logits) - logits.begin();
    return gold.labels.front() == static_cast<std::size_t>(best);
  }
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < logits.size(); ++k) {
    if (logits[k] >= 0.0F) found.push_back(k);
  }
  return found == gold.labels;
}

void RowScores::add(std::span<const float> logits, const Gold& gold) {
  ++rows_;
  if (problem_ == ProblemType::regression) {
    values_.push_back(gold.value);
  } else if (problem_ == ProblemType::single_label) {
    if (is_correct(logits, gold, problem_)) ++right_;
  } else {
    actual_ += gold.labels.size() + gold.unknown.size();
    for (std::size_t label = 0; label < logits.size(); ++label) {
      if (logits[label] < 0.0F) continue;
      ++predicted_;
      if (std::ranges::find(gold.labels, label) != gold.labels.end()) ++right_;
    }
  }
}

RowScore RowScores::score(double loss) const {
  const auto right = static_cast<double>(right_);
  switch (problem_) {
    case ProblemType::regression: {
      const double variance = variance_of(values_);
      return {"r2", variance > 0.0 ? 1.0 - loss / variance : -loss};
    }
    case ProblemType::multi_label: {
      const auto all = static_cast<double>(predicted_ + actual_);
      return {"micro_f1", all > 0.0 ? 2.0 * right / all : 1.0};
    }
    default:
      return {"accuracy", right / static_cast<double>(rows_)};
  }
}

std::vector<double> explained_shares(const std::vector<double>& squared_errors,
                                     const std::vector<double>& values) {
  const double variance = std::max(variance_of(values), 1e-300);
  std::vector<double> shares;
  shares.reserve(squared_errors.size());
  for (const double error : squared_errors) shares.push_back(1.0 - error / variance);
  return shares;
}

}  // namespace headlight
