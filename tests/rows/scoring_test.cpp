#include "rows/scoring.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "classifier/classifier.h"
#include "classifier/small_models.h"
#include "math/instruction_set.h"
#include "model/prepare.h"
#include "rows/listed_rows.h"
#include "rows/predict.h"
#include "sanitized.h"

namespace headlight::scoring_test {
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

using Scored = std::vector<ScoredRow<Prediction>>;

Scored score_all(const Classifier& classifier, std::size_t threads, const std::vector<Row>& rows) {
  ListedRows source(rows);
  return collected({threads}, source, predict_with(classifier));
}

/// A classifier's ways to score: what holds of one holds of the other.
class Ways {
 public:
  explicit Ways(const Classifier& classifier) : classifier_(classifier) {}

  /// Calls `check` with each, on as many threads.
  template <typename Check>
  void for_each(const Check& check) const {
    for (const std::size_t threads : kThreads) {
      CAPTURE(threads);
      check(RowPace{threads}, predict_with(classifier_));
      check(RowPace{threads, 1}, predict_with_attention(classifier_));
    }
  }

 private:
  const Classifier& classifier_;
};

/// The prediction on each row alone, in a fresh scratch.
std::vector<Prediction> alone(const Classifier& classifier, const std::vector<Row>& rows) {
  std::vector<Prediction> predictions;
  for (const Row& row : rows) {
    ScoringScratch scratch;
    predictions.push_back(classifier.classify({&row.input, 1}, scratch).at(0));
  }
  return predictions;
}

template <typename Result>
void check_same(const std::vector<ScoredRow<Result>>& scored, const std::vector<Row>& rows,
                const std::vector<Prediction>& expected) {
  REQUIRE(scored.size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(i);
    REQUIRE(scored[i].row.id.text == rows[i].id.text);
    CHECK(scored[i].row.error == rows[i].error);
    if (!rows[i].error.empty()) {
      CHECK(scored[i].result.error == rows[i].error);
      continue;
    }
    CHECK(scored[i].result.logits == expected[i].logits);
    CHECK(scored[i].result.error == expected[i].error);
    CHECK(scored[i].row.input.text == rows[i].input.text);
  }
}

TEST_CASE("rows have the same bits in order, whatever the threads, the batch and the processor") {
  const TemporaryFolder folder;
  const Model stored = encoder_model(folder);
  Model model = encoder_model(folder);
  model.prepared =
      prepare_weights(model.description, {LinearForm::packed, LinearForm::packed}, model.weights);
  const auto rows = mixed_rows(kSanitized ? 50 : 200);
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
      CHECK(scored[i].result.truncated == (i % 2 == 0 ? 0 : 3));
    }
  }
}

TEST_CASE("traced rows have the same verdicts, and the attention of each that was scored") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  const Classifier classifier(model, {});
  const auto rows = mixed_rows(60);
  const auto expected = alone(classifier, rows);
  for (const std::size_t threads : kThreads) {
    CAPTURE(threads);
    ListedRows source(rows);
    const auto scored = collected({threads, 1}, source, predict_with_attention(classifier));
    check_same(scored, rows, expected);
    for (const auto& [row, result] : scored) {
      CHECK(result.attention.statistics().empty() == !result.error.empty());
    }
  }
}

/// A row is written when the one before has been answered, or ten seconds were waited for that.
class Conversation : public RowSource {
 public:
  std::optional<Row> next() override {
    std::unique_lock lock(mutex_);
    const auto is_answered = [this] { return flushed_ == asked_; };
    in_time_ = answered_.wait_for(lock, std::chrono::seconds(10), is_answered) && in_time_;
    if (asked_ == 30 || !in_time_) return std::nullopt;
    Row row;
    row.input.text = random_words(5, asked_++);
    return row;
  }
  bool ready() override { return false; }

  void write() { ++written_; }
  void flush() {
    const std::lock_guard lock(mutex_);
    flushed_ = written_;
    answered_.notify_all();
  }

  bool in_time() const { return in_time_; }
  std::size_t written() const { return written_; }

 private:
  std::mutex mutex_;
  std::condition_variable answered_;
  std::size_t asked_ = 0;
  std::size_t written_ = 0;
  std::size_t flushed_ = 0;
  bool in_time_ = true;
};

TEST_CASE("who writes one row and waits for its answer gets it") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  const Classifier classifier(model, {});
  Ways(classifier)
      .for_each([]<typename Result>(const RowPace& pace, const ScoreTexts<Result>& score) {
        Conversation conversation;
        score_rows<Result>(
            pace, conversation, score,
            {[&](const auto&) { conversation.write(); }, [&] { conversation.flush(); }});
        CHECK(conversation.in_time());
        CHECK(conversation.written() == 30);
      });
}

/// An input that fails after 70 rows.
class FailingRows : public RowSource {
 public:
  std::optional<Row> next() override {
    if (given_ == 70) throw std::runtime_error("cannot read");
    Row row;
    row.input.text = random_words(3, given_++);
    return row;
  }
  bool ready() override { return given_ % 10 != 0; }

 private:
  std::size_t given_ = 0;
};

TEST_CASE("what was read before the input failed is written, then the failure leaves") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  const Classifier classifier(model, {});
  Ways(classifier)
      .for_each([]<typename Result>(const RowPace& pace, const ScoreTexts<Result>& score) {
        FailingRows source;
        std::size_t written = 0;
        const RowSink<Result> sink{[&](const auto&) { ++written; }};
        CHECK_THROWS_WITH_AS(score_rows<Result>(pace, source, score, sink), "cannot read",
                             std::runtime_error);
        CHECK(written == 70);
      });
}

TEST_CASE("no rows are flushed at most, never written") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder);
  const Classifier classifier(model, {});
  Ways(classifier).for_each([](const RowPace& pace, const auto& score) {
    ListedRows source({});
    CHECK(collected(pace, source, score).empty());
  });
}

}  // namespace
}  // namespace headlight::scoring_test
