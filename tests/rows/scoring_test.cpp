#include "rows/scoring.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "classifier/classifier.h"
#include "classifier/small_models.h"

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

TEST_CASE("rows come out in order and with the same bits, whatever the number of threads") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  const Classifier classifier(model, {});
  const auto rows = mixed_rows(400);
  for (const std::size_t threads : kThreads) {
    CAPTURE(threads);
    std::vector<ScoredRow> scored;
    std::size_t next = 0;
    score_rows(classifier, threads, supply_of(rows, next),
               {[&](const ScoredRow& row) { scored.push_back(row); }, [] {}});
    REQUIRE(scored.size() == rows.size());
    ScoringScratch scratch;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      CAPTURE(i);
      REQUIRE(scored[i].row.id.text == rows[i].id.text);
      if (!rows[i].error.empty()) {
        CHECK(scored[i].prediction.error == rows[i].error);
        CHECK(scored[i].row.error == rows[i].error);
        continue;
      }
      const Prediction alone = classifier.classify({&rows[i].input, 1}, scratch).at(0);
      CHECK(scored[i].prediction.logits == alone.logits);
      CHECK(scored[i].prediction.error == alone.error);
      CHECK(scored[i].row.input.text == rows[i].input.text);
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
