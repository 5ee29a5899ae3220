#include "training/auto/candidate_scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/utf8.h"

namespace headlight {
namespace {

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// 1 − squared error / variance.
std::vector<double> explained(const std::vector<float>& values,
                              const std::vector<LabelledRow>& rows) {
  std::vector<double> wanted;
  wanted.reserve(rows.size());
  for (const LabelledRow& row : rows) wanted.push_back(row.target.value);
  const double middle = mean(wanted);
  double variance = 0.0;
  for (const double value : wanted) {
    variance += (value - middle) * (value - middle) / static_cast<double>(wanted.size());
  }
  std::vector<double> scores;
  scores.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double error = static_cast<double>(values[i]) - wanted[i];
    scores.push_back(1.0 - error * error / std::max(variance, 1e-300));
  }
  return scores;
}

}  // namespace

CandidateScore candidate_score(const LabelSet& labels, const std::vector<float>& logits,
                               const std::vector<LabelledRow>& rows) {
  CandidateScore score;
  std::vector<std::uint64_t> texts;
  texts.reserve(rows.size());
  for (const LabelledRow& row : rows) texts.push_back(row.key);
  score.distinct = count_distinct(std::move(texts));
  if (labels.problem_type == ProblemType::regression) {
    score.name = "r2";
    score.rows = explained(logits, rows);
    Mean found = mean_of(score.rows);
    count_once(found.interval, rows.size(), score.distinct);
    score.value = found.value;
    score.interval = found.interval;
    return score;
  }
  score.name = labels.problem_type == ProblemType::single_label ? "accuracy" : "subset_accuracy";
  const std::size_t c = labels.names.size();
  std::size_t hits = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool right =
        is_correct(std::span(logits).subspan(i * c, c), rows[i].target, labels.problem_type);
    score.rows.push_back(right ? 1.0 : 0.0);
    if (right) ++hits;
  }
  score.value = mean(score.rows);
  score.interval = proportion_interval(hits, rows.size(), score.distinct);
  return score;
}

bool is_clearly_better(const CandidateScore& score, const CandidateScore& than) {
  const auto n = static_cast<double>(score.rows.size());
  const double gain = score.value - than.value;
  double squares = 0.0;
  for (std::size_t i = 0; i < score.rows.size(); ++i) {
    const double rest = score.rows[i] - than.rows[i] - gain;
    squares += rest * rest;
  }
  return gain > std::sqrt(squares / n / static_cast<double>(score.distinct));
}

std::string score_text(const CandidateScore& score) {
  const bool is_share = score.name != std::string("r2");
  const auto shown = [&](double value) {
    return is_share ? formatted("%.1f", 100.0 * value) : formatted("%.4f", value);
  };
  std::string text = std::string(score.name) + ' ' + shown(score.value);
  if (score.interval) {
    text += " (" + shown(score.interval->low) + "–" + shown(score.interval->high) + ")";
  }
  return text + (is_share ? " %" : "");
}

}  // namespace headlight
