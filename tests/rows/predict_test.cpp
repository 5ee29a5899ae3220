// What is kept of the traces of rows, whatever the threads.
#include "rows/predict.h"

#include <vector>

#include <doctest/doctest.h>

#include "classifier/small_models.h"
#include "rows/listed_rows.h"

namespace headlight::predict_test {
namespace {

/// Every fifth could not be read.
std::vector<Row> mixed_rows(std::size_t count) {
  std::vector<Row> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    rows[i].input.text = random_words(1 + i % 9, i);
    if (i % 5 == 2) rows[i].error = "cannot be read";
  }
  return rows;
}

TEST_CASE("attention over rows is that of the texts one after another, whatever the threads") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  const Classifier classifier(model, {});
  const auto rows = mixed_rows(40);
  AttentionSums expected;
  Scratch scratch;
  for (const Row& row : rows) {
    if (!row.error.empty()) continue;
    const Encoding encoding = classifier.reader().encode(row.input);
    Trace trace;
    trace.wants_attention = true;
    classifier.classify_traced(encoding, scratch, trace);
    AttentionSums text;
    text.add(trace.texts.front().attention, encoding.sequences);
    expected.add(text);
  }
  REQUIRE(expected.statistics().size() == 6);
  for (const std::size_t threads : {1, 2, 7}) {
    CAPTURE(threads);
    ListedRows source(rows);
    AttentionSums sums;
    for (const auto& scored : collected({threads, 1}, source, predict_with_attention(classifier))) {
      sums.add(scored.result.attention);
    }
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

}  // namespace
}  // namespace headlight::predict_test
