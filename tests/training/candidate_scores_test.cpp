// Scores of trainings on the same rows, and when one is better.
#include "training/choosing/candidate_scores.h"

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace headlight::candidate_scores_test {
namespace {

std::vector<LabelledRow> rows_of(const std::vector<Gold>& targets) {
  std::vector<LabelledRow> rows;
  for (const Gold& target : targets) {
    LabelledRow& row = rows.emplace_back();
    row.target = target;
    row.key = rows.size();
  }
  return rows;
}

TEST_CASE("labels are scored by the share of rows that are right, and by their log losses") {
  const LabelSet one{{"a", "b"}, ProblemType::single_label};
  const auto rows = rows_of({{{0}}, {{1}}, {{1}}});
  DevelopmentFigures figures = development_figures(one, {2, 1, 2, 1, 0, 3}, rows);
  const CandidateScore score = candidate_score(figures, rows);
  CHECK(score.name == "accuracy");
  CHECK(score.value == doctest::Approx(2.0 / 3.0));
  CHECK(score.distinct == 3);
  REQUIRE(score.losses.size() == 3);
  const double mean = (score.losses[0] + score.losses[1] + score.losses[2]) / 3.0;
  CHECK(*score.log_loss == doctest::Approx(mean));
  CHECK(mean == doctest::Approx(figures.evaluation.find("log_loss")->value));
  CHECK(score.losses[1] > score.losses[0]);
  CHECK(score_text(score).starts_with("accuracy 66.7 (20.8–93.9) %, log loss "));

  const LabelSet several{{"a", "b"}, ProblemType::multi_label};
  const auto lists = rows_of({{{}}, {{0, 1}}, {{1}}});
  figures = development_figures(several, {-1, -1, 1, 1, 1, 1}, lists);
  CHECK(candidate_score(figures, lists).name == "subset_accuracy");
  CHECK(*candidate_score(figures, lists).log_loss ==
        doctest::Approx(figures.evaluation.find("log_loss")->value));
}

TEST_CASE("numbers are scored by the share of their variance that is explained") {
  const LabelSet number{{"value"}, ProblemType::regression};
  const auto rows = rows_of({{{}, 1.0F}, {{}, 2.0F}, {{}, 3.0F}});
  const CandidateScore score = candidate_score(development_figures(number, {1, 2, 4}, rows), rows);
  CHECK(score.name == "r2");
  CHECK(score.losses == std::vector<double>{0, 0, 1});
  CHECK(score.value == doctest::Approx(1.0 - 1.0 / 2.0));
  CHECK(!score.log_loss);
  CHECK(candidate_score(development_figures(number, {2, 2, 2}, rows), rows).value ==
        doctest::Approx(0.0));
}

/// With these losses.
CandidateScore score_of(const std::vector<double>& losses) {
  CandidateScore score;
  score.losses = losses;
  score.distinct = losses.size();
  return score;
}

TEST_CASE("a gain must be more than its standard error") {
  const CandidateScore base = score_of({1, 1, 1, 1, 0, 0, 0, 0});
  CHECK(!is_clearly_better(base, base));
  // One row of eight: 0.125, with a standard error of √(7/64) / √8 = 0.117.
  CHECK(is_clearly_better(score_of({1, 1, 1, 0, 0, 0, 0, 0}), base));
  // Two gained and one lost.
  CHECK(!is_clearly_better(score_of({1, 1, 0, 0, 1, 0, 0, 0}), base));
  CHECK(!is_clearly_better(base, score_of({1, 1, 1, 0, 0, 0, 0, 0})));
  // The same text eight times says as little as once.
  CandidateScore repeated = score_of({1, 1, 1, 0, 0, 0, 0, 0});
  repeated.distinct = 1;
  CHECK(!is_clearly_better(repeated, base));
}

}  // namespace
}  // namespace headlight::candidate_scores_test
