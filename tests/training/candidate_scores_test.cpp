// Scores of trainings on the same rows, and when one is better.
#include "training/auto/candidate_scores.h"

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace headlight::candidate_scores_test {
namespace {

std::vector<LabelledRow> rows_of(const std::vector<RowTarget>& targets) {
  std::vector<LabelledRow> rows;
  for (const RowTarget& target : targets) {
    LabelledRow& row = rows.emplace_back();
    row.target = target;
    row.key = rows.size();
  }
  return rows;
}

TEST_CASE("rows with the right label, or all the right labels") {
  const LabelSet one{{"a", "b"}, ProblemType::single_label};
  const auto rows = rows_of({{{0}}, {{1}}, {{1}}});
  const CandidateScore score = candidate_score(one, {2, 1, 2, 1, 0, 3}, rows);
  CHECK(std::string(score.name) == "accuracy");
  CHECK(score.rows == std::vector<double>{1, 0, 1});
  CHECK(score.value == doctest::Approx(2.0 / 3.0));
  CHECK(score_text(score) == "accuracy 66.7 (20.8–93.9) %");

  const LabelSet several{{"a", "b"}, ProblemType::multi_label};
  const auto lists = rows_of({{{}}, {{0, 1}}, {{1}}});
  CHECK(candidate_score(several, {-1, -1, 1, 1, 1, 1}, lists).rows == std::vector<double>{1, 1, 0});
}

TEST_CASE("numbers are scored by the share of their variance that is explained") {
  const LabelSet number{{"value"}, ProblemType::regression};
  const auto rows = rows_of({{{}, 1.0F}, {{}, 2.0F}, {{}, 3.0F}});
  const CandidateScore score = candidate_score(number, {1, 2, 4}, rows);
  CHECK(std::string(score.name) == "r2");
  CHECK(score.value == doctest::Approx(1.0 - 1.0 / 2.0));
  CHECK(candidate_score(number, {2, 2, 2}, rows).value == doctest::Approx(0.0));
}

/// Accuracy with these rows right.
CandidateScore right_rows(const std::vector<double>& rows) {
  CandidateScore score;
  score.rows = rows;
  for (const double row : rows) score.value += row / static_cast<double>(rows.size());
  score.distinct = rows.size();
  return score;
}

TEST_CASE("a gain must be more than its standard error") {
  const CandidateScore base = right_rows({1, 1, 1, 1, 0, 0, 0, 0});
  CHECK(!is_clearly_better(base, base));
  // One row of eight: 0.125, with a standard error of √(7/64) / √8 = 0.117.
  CHECK(is_clearly_better(right_rows({1, 1, 1, 1, 1, 0, 0, 0}), base));
  // Two gained and one lost.
  CHECK(!is_clearly_better(right_rows({0, 1, 1, 1, 1, 1, 0, 0}), base));
  CHECK(!is_clearly_better(base, right_rows({1, 1, 1, 1, 1, 0, 0, 0})));
  // The same text eight times says as little as once.
  CandidateScore repeated = right_rows({1, 1, 1, 1, 1, 0, 0, 0});
  repeated.distinct = 1;
  CHECK(!is_clearly_better(repeated, base));
}

}  // namespace
}  // namespace headlight::candidate_scores_test
