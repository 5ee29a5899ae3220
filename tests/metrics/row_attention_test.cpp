// What metrics say of rows on their way: labels before they are scored, attention after.
#include "metrics/row_attention.h"

#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "classifier/small_models.h"
#include "metrics/known_label_rows.h"
#include "rows/listed_rows.h"
#include "rows/scoring.h"

namespace headlight::row_attention_test {
namespace {

/// Every fifth could not be read.
std::vector<Row> labelled_rows(std::size_t count) {
  std::vector<Row> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    rows[i].input.text = random_words(1 + i % 9, i);
    rows[i].label = "a";
    if (i % 5 == 2) rows[i].error = "cannot be read";
  }
  return rows;
}

TEST_CASE("attention over rows is that of the texts one after another, whatever the threads") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  const Classifier classifier(model, {});
  const AttentionSummarizer summarizer;
  const auto rows = labelled_rows(40);
  AttentionSums expected;
  Scratch scratch;
  for (const Row& row : rows) {
    if (!row.error.empty()) continue;
    const Encoding encoding = classifier.reader().encode(row.input);
    Trace trace = summarizer.wanted();
    classifier.classify_traced(encoding, scratch, trace);
    AttentionSums text;
    text.add(trace.texts.front().attention, encoding.sequences);
    expected.add(text);
  }
  REQUIRE(expected.statistics().size() == 6);
  for (const std::size_t threads : {1, 2, 7}) {
    CAPTURE(threads);
    ListedRows source(rows);
    CollectedRows sink;
    score_rows(TracingScorer(classifier, summarizer), threads, source, sink);
    AttentionSums sums;
    for (const ScoredRow& row : sink.rows()) add_attention(sums, row);
    const auto found = sums.statistics();
    REQUIRE(found.size() == 6);
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].layer == expected.statistics()[i].layer);
      CHECK(found[i].mean == expected.statistics()[i].mean);
      CHECK(found[i].std == expected.statistics()[i].std);
      CHECK(found[i].entropy == expected.statistics()[i].entropy);
    }
  }
}

TEST_CASE("a row that was not traced adds no attention") {
  AttentionSums sums;
  add_attention(sums, {});
  CHECK(sums.statistics().empty());
}

TEST_CASE("rows with unknown labels are passed on in order, but not if no label is known") {
  std::vector<Row> rows = labelled_rows(3);
  rows[0].label = "x";
  ListedRows source(rows);
  const GoldReader gold({{"a", "b"}, ProblemType::single_label, true, {}});
  KnownLabelRows known(source, gold, "rows");
  const auto first = known.next();
  CHECK(first->label == "x");
  CHECK(first->error.empty());
  CHECK(known.next()->error.empty());
  CHECK(known.next()->error == "cannot be read");
  CHECK_FALSE(known.next().has_value());

  rows[1].label = "y";
  ListedRows others(rows);
  KnownLabelRows unknown(others, gold, "rows");
  CHECK(error_of([&] { unknown.next(); }) ==
        "rows: its labels are not the model's: found x, y; the model has a, b; --label-map "
        "FOUND=LABEL,… translates them");
}

}  // namespace
}  // namespace headlight::row_attention_test
