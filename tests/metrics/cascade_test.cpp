// What a cascade keeps, against sums by hand; its exact bound, against the whole binomial sum; its
// promise, in repeated trials.
#include "metrics/cascade.h"

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "metrics/cascade_file.h"

namespace headlight::cascade_test {
namespace {

const std::vector<std::size_t> kNumbers = {1, 2, 0};  // of no, yes, maybe in maybe, no, yes

Prediction verdict(std::size_t best, float confidence, std::uint64_t key) {
  Prediction prediction;
  prediction.best = best;
  prediction.scores.assign(3, (1.0F - confidence) / 2.0F);
  prediction.scores[best] = confidence;
  prediction.logits = prediction.scores;
  prediction.key = key;
  return prediction;
}

/// The probability of at most `hits`: all terms, each a product.
double whole_tail(std::size_t hits, std::size_t rows, double p) {
  double sum = 0.0;
  for (std::size_t k = 0; k <= hits; ++k) {
    double term = 0.0;
    for (std::size_t i = 1; i <= k; ++i) {
      term += std::log(static_cast<double>(rows - k + i)) - std::log(static_cast<double>(i));
    }
    const auto n = static_cast<double>(rows);
    const auto hit = static_cast<double>(k);
    sum += std::exp(term + hit * std::log(p) + (n - hit) * std::log(1.0 - p));
  }
  return sum;
}

TEST_CASE("at the exact bound, so few hits have a probability of 5 %") {
  for (const std::size_t rows : {1, 2, 3, 10, 59, 60, 299, 1000}) {
    const std::size_t step = rows < 100 ? 1 : rows / 7;
    for (std::size_t hits = 0; hits < rows; hits += step) {
      const double bound = exact_upper_bound(hits, rows);
      CAPTURE(rows);
      CAPTURE(hits);
      CHECK(whole_tail(hits, rows, bound) == doctest::Approx(0.05).epsilon(1e-8));
    }
    CHECK(exact_upper_bound(rows, rows) == 1.0);
  }
  CHECK(exact_upper_bound(0, 299) == doctest::Approx(1.0 - std::pow(0.05, 1.0 / 299.0)));
  // scipy.stats.beta.ppf(0.95, hits + 1, rows - hits)
  CHECK(exact_upper_bound(2, 10) == doctest::Approx(0.5069013101));
  CHECK(exact_upper_bound(10, 1000) == doctest::Approx(0.0168954).epsilon(1e-4));
  CHECK(exact_upper_bound(500'000, 1'000'000) == doctest::Approx(0.500823).epsilon(1e-5));
}

TEST_CASE("an agreement needs as many rows as promise it if all agree") {
  struct Case {
    double agreement;
    std::size_t rows;
  };
  for (const auto& [agreement, rows] :
       {Case{0.5, 5}, {0.9, 29}, {0.95, 59}, {0.99, 299}, {0.995, 598}, {0.999, 2995}}) {
    CHECK(rows_to_promise(agreement) == rows);
    CHECK(1.0 - exact_upper_bound(0, rows) >= agreement);
    CHECK(1.0 - exact_upper_bound(0, rows - 1) < agreement);
  }
}

TEST_CASE("thresholds are tested from the strictest on, up to the first that fails") {
  Cascade cascade;
  cascade.rows = cascade.distinct = 1000;
  cascade.points = {{0.9F, 100, 2, 0}, {0.8F, 300, 10, 0}, {0.7F, 500, 40, 0}, {0.6F, 900, 10, 0}};
  // Bounds: 0.99372, 0.98310, 0.94832, 0.98310
  CHECK(cascade.agreement(cascade.points[1]) == doctest::Approx(0.99));
  CHECK(cascade.agreement_bound(cascade.points[1]) == doctest::Approx(0.98310).epsilon(1e-4));
  CHECK_FALSE(promised_point(cascade, 0.999));
  CHECK(promised_point(cascade, 0.99)->threshold == 0.9F);
  CHECK(promised_point(cascade, 0.98)->threshold == 0.8F);
  CHECK(promised_point(cascade, 0.94)->threshold == 0.6F);
  cascade.points.clear();
  CHECK_FALSE(promised_point(cascade, 0.5));
}

TEST_CASE("repeated texts count once in the bound") {
  Cascade cascade;
  cascade.rows = 400;
  cascade.distinct = 100;
  const CascadePoint point = {0.9F, 200, 9, 0};
  CHECK(cascade.agreement(point) == doctest::Approx(1.0 - 9.0 / 400.0));
  CHECK(cascade.agreement_bound(point) == 1.0 - exact_upper_bound(3, 100));
}

TEST_CASE("each point counts the rows of its confidence, in labels of either order") {
  CascadeSums sums(kNumbers);
  const auto add = [&](std::size_t gold, const Prediction& small, std::size_t of_large) {
    Prediction large = verdict(of_large, 0.9F, small.key);
    sums.add({{gold}, 0.0}, small, large, {0.5, 1.5});
  };
  add(0, verdict(0, 0.99F, 1), 1);  // no, no: they agree and are right
  add(1, verdict(1, 0.9F, 2), 1);   // yes, no
  add(2, verdict(1, 0.9F, 3), 0);   // yes, maybe: the large one is right
  add(2, verdict(2, 0.5F, 4), 0);   // maybe, maybe
  add(2, verdict(2, 0.5F, 4), 0);   // the same text
  sums.add({{}, 0.0, {"else"}}, verdict(0, 0.4F, 5), verdict(1, 0.9F, 5), {0.0, 0.0});
  Prediction failed;
  failed.error = "too long";
  sums.add({{0}, 0.0}, failed, verdict(1, 0.9F, 6), {0.0, 0.0});
  sums.add({{0}, 0.0}, verdict(0, 0.9F, 7), failed, {0.0, 0.0});
  const Cascade found = sums.measure();
  CHECK(found.rows == 6);
  CHECK(found.distinct == 5);
  CHECK(found.large_right == 4);
  CHECK(found.large_share == doctest::Approx(0.75));
  CHECK(found.rows_per_second(0.0, 1.0) * found.seconds * 0.75 == doctest::Approx(6.0));
  CHECK(found.rows_per_second(1.0, 0.0) * found.seconds * 0.25 == doctest::Approx(6.0));
  CHECK(found.rows_per_second(1.0, 1.0) * found.seconds == doctest::Approx(6.0));
  struct Expected {
    float threshold;
    std::size_t kept;
    std::size_t disagreeing;
    std::size_t right;
  };
  const std::vector<Expected> expected = {
      {0.99F, 1, 0, 4}, {0.9F, 3, 2, 4}, {0.5F, 5, 2, 4}, {0.4F, 6, 2, 4}};
  REQUIRE(found.points.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(found.points[i].threshold == expected[i].threshold);
    CHECK(found.points[i].kept == expected[i].kept);
    CHECK(found.points[i].disagreeing == expected[i].disagreeing);
    CHECK(found.points[i].right == expected[i].right);
  }
  CHECK(CascadeSums(kNumbers).measure().points.empty());
}

/// Rows are confident by chance, and disagree the more often the less they are: the agreement of a
/// threshold t among all rows that there can be is 1 − 0.6 · (1 − t)² / 2.
TEST_CASE("what is promised holds among all rows in at least 90 % of the samples") {
  std::mt19937 random(42);
  std::uniform_real_distribution<float> any(0.0F, 1.0F);
  constexpr int kSamples = 200;
  for (const double promise : {0.9, 0.95}) {
    int kept = 0;
    double least_kept = 1.0;
    for (int sample = 0; sample < kSamples; ++sample) {
      CascadeSums sums(kNumbers);
      for (std::uint64_t row = 1; row <= 400; ++row) {
        const float confidence = any(random);
        const bool disagrees = any(random) < 0.6F * (1.0F - confidence);
        sums.add({{0}, 0.0}, verdict(0, confidence, row), verdict(disagrees ? 2 : 1, 0.9F, row),
                 {0.0, 0.0});
      }
      const auto point = promised_point(sums.measure(), promise);
      REQUIRE(point);
      const double rest = 1.0 - static_cast<double>(point->threshold);
      least_kept = std::min(least_kept, rest);
      if (1.0 - 0.6 * rest * rest / 2.0 >= promise) ++kept;
    }
    CHECK(kept >= 0.9 * kSamples);
    CHECK(kept < kSamples);  // it is not bought by keeping next to nothing
    CHECK(least_kept > 0.15);
  }
}

TEST_CASE("cascade.json gives back what was written, and anything else is refused by its field") {
  const TemporaryFolder folder;
  const std::string path = folder / "cascade.json";
  CascadeFile file;
  file.origin.program = "build";
  file.origin.model = {{"-m", "1"}, {"--then", "2"}};
  file.cascade.rows = 10;
  file.cascade.distinct = 9;
  file.cascade.points = {{0.98765433F, 1, 0, 0}, {0.5F, 10, 3, 0}};
  const std::string good = cascade_document(file.cascade, file.origin);
  folder.write("cascade.json", good);
  const CascadeFile read = read_cascade(path);
  CHECK(read.origin.model == file.origin.model);
  CHECK(read.cascade.rows == 10);
  CHECK(read.cascade.distinct == 9);
  REQUIRE(read.cascade.points.size() == 2);
  CHECK(read.cascade.points[0].threshold == 0.98765433F);
  CHECK(read.cascade.points[1].kept == 10);
  CHECK(read.cascade.points[1].disagreeing == 3);
  struct Broken {
    std::string from;
    std::string to;
    std::string said;
  };
  const std::vector<Broken> broken = {
      {"\"rows\":10", "\"rows\":0", "rows: found 0"},
      {"\"rows\":10", "\"rows\":1", "different_texts: found 9"},
      {"\"kept_rows\":10", "\"kept_rows\":1", "kept_rows: found 1"},
      {"\"kept_rows\":10", "\"kept_rows\":11", "kept_rows: found 11"},
      {"\"disagreeing_rows\":3", "\"disagreeing_rows\":-1", "disagreeing_rows: found -1"},
      {"\"disagreeing_rows\":3", "\"disagreeing_rows\":11", "disagreeing_rows: found 11"},
      {"\"threshold\":0.5", "\"threshold\":1.5", "threshold: found 1.5"},
      {"\"threshold\":0.5", "\"threshold\":\"x\"", "threshold: found \"x\""},
      {"\"thresholds\":[", "\"thresholds\":1,\"x\":[", "thresholds: found 1, expected an array"},
      {"\"origin\"", "\"else\"", "origin: missing"},
  };
  for (const auto& [from, to, said] : broken) {
    std::string text = good;
    REQUIRE(text.find(from) != std::string::npos);
    text.replace(text.find(from), from.size(), to);
    folder.write("cascade.json", text);
    const std::string error = error_of([&] { read_cascade(path); });
    CAPTURE(error);
    CHECK(error.find(said) != std::string::npos);
    CHECK(error.starts_with(path));
  }
}

}  // namespace
}  // namespace headlight::cascade_test
