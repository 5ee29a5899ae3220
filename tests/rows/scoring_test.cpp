#include "rows/scoring.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "classifier/classifier.h"
#include "classifier/small_models.h"
#include "math/instruction_set.h"
#include "model/prepare.h"

namespace headlight {
namespace {

constexpr std::size_t kThreads[] = {1, 2, 7};

/// Rows of all lengths; every tenth could not be read, and one in between gives no tokens.
std::vector<Row> mixed_rows(std::size_t count) {
  std::vector<Row> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    rows[i].id.text = std::to_string(i);
    if (i % 10 == 3) {
      rows[i].error = "bad row " + std::to_string(i);
    } else if (i % 10 != 7) {
      rows[i].input.text = random_words(1 + i * 37 % 90, i);
    }
  }
  return rows;
}

/// Gives the rows one after another; from time to time the next is not there yet.
RowSupply supply_of(const std::vector<Row>& rows, std::size_t& next) {
  return {[&]() -> std::optional<Row> {
            if (next == rows.size()) return std::nullopt;
            return rows[next++];
          },
          [&] { return next % 13 != 5; }};
}

std::vector<ScoredRow> score_all(const Classifier& classifier, std::size_t threads,
                                 const std::vector<Row>& rows) {
  std::vector<ScoredRow> scored;
  std::size_t next = 0;
  score_rows(classifier, threads, supply_of(rows, next),
             {[&](const ScoredRow& row) { scored.push_back(row); }, [] {}});
  return scored;
}

/// The prediction on each row alone, in a fresh scratch.
std::vector<Prediction> alone(const Classifier& classifier, const std::vector<Row>& rows) {
  std::vector<Prediction> predictions;
  for (const Row& row : rows) {
    ScoringScratch scratch;
    predictions.push_back(classifier.classify({&row.input, 1}, scratch).at(0));
  }
  return predictions;
}

void check_same(const std::vector<ScoredRow>& scored, const std::vector<Row>& rows,
                const std::vector<Prediction>& expected) {
  REQUIRE(scored.size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(i);
    REQUIRE(scored[i].row.id.text == rows[i].id.text);
    CHECK(scored[i].row.error == rows[i].error);
    if (!rows[i].error.empty()) {
      CHECK(scored[i].prediction.error == rows[i].error);
      continue;
    }
    CHECK(scored[i].prediction.logits == expected[i].logits);
    CHECK(scored[i].prediction.error == expected[i].error);
    CHECK(scored[i].row.input.text == rows[i].input.text);
  }
}

TEST_CASE("rows have the same bits in order, whatever the threads, the batch and the processor") {
  const TemporaryFolder folder;
  const Model stored = encoder_model(folder);
  Model model = encoder_model(folder);
  model.prepared =
      prepare_weights(model.description, {LinearForm::packed, LinearForm::packed}, model.weights);
  const auto rows = mixed_rows(400);
  std::vector<Prediction> fused;  // of any instruction set with fused multiply-add
  for (const auto& set : instruction_sets()) {
    CAPTURE(set);
    REQUIRE(use_instruction_set(set));
    const auto expected = alone(Classifier(stored, {}), rows);
    if (has_fused_multiply_add()) {
      if (fused.empty()) fused = expected;
      for (std::size_t i = 0; i < rows.size(); ++i) CHECK(expected[i].logits == fused[i].logits);
    }
    for (const std::size_t threads : kThreads) {
      for (const std::size_t batch_tokens : {1, 50, 512, 5000}) {
        CAPTURE(threads);
        CAPTURE(batch_tokens);
        ClassifierOptions options;
        options.batch_tokens = batch_tokens;
        check_same(score_all(Classifier(model, options), threads, rows), rows, expected);
      }
    }
  }
  use_instruction_set(instruction_sets().front());
}

TEST_CASE("rows in another order have the same bits") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  const Classifier classifier(model, {});
  auto rows = mixed_rows(200);
  auto expected = alone(classifier, rows);
  for (std::size_t i = rows.size() - 1; i > 0; --i) {
    const std::size_t other = i * 7919 % (i + 1);
    std::swap(rows[i], rows[other]);
    std::swap(expected[i], expected[other]);
  }
  check_same(score_all(classifier, 2, rows), rows, expected);
}

TEST_CASE("equal texts, near each other and far apart, have equal verdicts and their own counts") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  ClassifierOptions options;
  options.max_length = 8;
  const Classifier classifier(model, options);
  std::vector<Row> rows(300);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].id.text = std::to_string(i);
    // Of the same 8 tokens, but cut by 0 or 3.
    rows[i].input.text = random_words(8, i % 7) + (i % 2 == 0 ? "" : " " + random_words(3, 1));
  }
  for (const std::size_t threads : kThreads) {
    const auto scored = score_all(classifier, threads, rows);
    check_same(scored, rows, alone(classifier, rows));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      CHECK(scored[i].prediction.truncated == (i % 2 == 0 ? 0 : 3));
    }
  }
}

TEST_CASE("who writes one row and waits for its answer gets it") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  const Classifier classifier(model, {});
  for (const std::size_t threads : kThreads) {
    CAPTURE(threads);
    std::mutex mutex;
    std::condition_variable answered;
    std::size_t asked = 0;
    std::size_t written = 0;
    std::size_t flushed = 0;
    bool all_in_time = true;
    const auto next = [&]() -> std::optional<Row> {
      std::unique_lock lock(mutex);
      all_in_time = answered.wait_for(lock, std::chrono::seconds(10), [&] {
        return flushed == asked;
      }) && all_in_time;
      if (asked == 30 || !all_in_time) return std::nullopt;
      Row row;
      row.input.text = random_words(5, asked++);
      return row;
    };
    const auto write = [&](const ScoredRow&) { ++written; };
    const auto flush = [&] {
      const std::lock_guard lock(mutex);
      flushed = written;
      answered.notify_all();
    };
    score_rows(classifier, threads, {next, [] { return false; }}, {write, flush});
    CHECK(all_in_time);
    CHECK(written == 30);
  }
}

TEST_CASE("what was read before the input failed is written, then the failure leaves") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  const Classifier classifier(model, {});
  for (const std::size_t threads : kThreads) {
    CAPTURE(threads);
    std::size_t given = 0;
    std::size_t written = 0;
    const auto run = [&] {
      score_rows(classifier, threads,
                 {[&]() -> std::optional<Row> {
                    if (given == 70) throw std::runtime_error("cannot read");
                    Row row;
                    row.input.text = random_words(3, given++);
                    return row;
                  },
                  [&] { return given % 10 != 0; }},
                 {[&](const ScoredRow&) { ++written; }, [] {}});
    };
    CHECK_THROWS_WITH_AS(run(), "cannot read", std::runtime_error);
    CHECK(written == 70);
  }
}

TEST_CASE("no rows are flushed at most, never written") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder);
  const Classifier classifier(model, {});
  for (const std::size_t threads : kThreads) {
    int written = 0;
    score_rows(classifier, threads, {[] { return std::optional<Row>(); }, [] { return true; }},
               {[&](const ScoredRow&) { ++written; }, [] {}});
    CHECK(written == 0);
  }
}

}  // namespace
}  // namespace headlight
