#include "training/choosing/candidate_scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/utf8.h"
#include "metrics/row_scores.h"

namespace headlight {
namespace {

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

CandidateScore candidate_score(const DevelopmentFigures& figures,
                               const std::vector<LabelledRow>& rows) {
  CandidateScore score;
  score.losses = figures.losses;
  std::vector<std::uint64_t> texts;
  texts.reserve(rows.size());
  for (std::size_t i = 0; i < score.losses.size(); ++i) texts.push_back(rows[i].held_with());
  score.distinct = count_distinct(std::move(texts));
  if (figures.labels.problem_type == ProblemType::regression) {
    score.name = "r2";
    std::vector<double> wanted;
    wanted.reserve(rows.size());
    for (const LabelledRow& row : rows) wanted.push_back(row.target.value);
    Mean found = mean_of(explained_shares(score.losses, wanted));
    count_once(found.interval, rows.size(), score.distinct);
    score.value = found.value;
    score.interval = found.interval;
    return score;
  }
  const Measure& right = figures.evaluation.measures.front();
  score.name = right.field;
  score.value = right.value;
  score.interval = right.interval;
  score.log_loss = mean(score.losses);
  return score;
}

bool is_clearly_better(const CandidateScore& score, const CandidateScore& than) {
  const auto n = static_cast<double>(score.losses.size());
  const double gain = mean(than.losses) - mean(score.losses);
  double squares = 0.0;
  for (std::size_t i = 0; i < score.losses.size(); ++i) {
    const double rest = than.losses[i] - score.losses[i] - gain;
    squares += rest * rest;
  }
  return gain > std::sqrt(squares / n / static_cast<double>(score.distinct));
}

std::string score_text(const CandidateScore& score) {
  const bool is_share = score.name != "r2";
  const auto shown = [&](double value) {
    return is_share ? formatted("%.1f", 100.0 * value) : formatted("%.4f", value);
  };
  std::string text = score.name + ' ' + shown(score.value);
  if (score.interval) {
    text += " (" + shown(score.interval->low) + "–" + shown(score.interval->high) + ")";
  }
  if (is_share) text += " %";
  return score.log_loss ? text + ", log loss " + formatted("%.4f", *score.log_loss) : text;
}

}  // namespace headlight
