#include "rows/row_scorer.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"

namespace headlight {

namespace {

constexpr auto kStopped = [] { return caught_signal() != 0; };

std::vector<TextInput> readable_inputs(const std::vector<Row>& rows) {
  std::vector<TextInput> inputs;
  for (const Row& row : rows) {
    if (row.error.empty()) inputs.push_back(row.input);
  }
  return inputs;
}

/// Gives each readable row the next of `results`, until there are no more.
template <typename Result, typename Give>
std::vector<ScoredRow> with_results(std::vector<Row> rows, std::vector<Result> results,
                                    const Give& give) {
  auto next = results.begin();
  std::vector<ScoredRow> scored;
  for (Row& row : rows) {
    const bool readable = row.error.empty();
    if (readable && next == results.end()) break;
    ScoredRow& done = scored.emplace_back();
    if (readable) {
      give(std::move(*next++), done);
    } else {
      done.prediction.error = row.error;
    }
    done.row = std::move(row);
  }
  return scored;
}

}  // namespace

std::vector<ScoredRow> TextScorer::score(std::vector<Row> rows, ScoringScratch& scratch) const {
  auto predictions = classifier_.classify(readable_inputs(rows), scratch, kStopped);
  return with_results(
      std::move(rows), std::move(predictions),
      [](Prediction prediction, ScoredRow& done) { done.prediction = std::move(prediction); });
}

std::vector<ScoredRow> ComparingScorer::score(std::vector<Row> rows,
                                              ScoringScratch& scratch) const {
  const auto inputs = readable_inputs(rows);
  const auto first = first_.classify(inputs, scratch, kStopped);
  auto second = second_.classify(inputs, scratches_.local(), kStopped);
  std::vector<std::pair<Prediction, Prediction>> both;
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    both.emplace_back(first[i], std::move(second[i]));
  }
  return with_results(std::move(rows), std::move(both), [](auto pair, ScoredRow& done) {
    done.prediction = std::move(pair.first);
    done.rival = std::move(pair.second);
  });
}

std::vector<ScoredRow> AblatingScorer::score(std::vector<Row> rows, ScoringScratch& scratch) const {
  auto predictions = classifier_.classify(readable_inputs(rows), scratch, kStopped);
  return with_results(std::move(rows), std::move(predictions),
                      [](AblatedPrediction prediction, ScoredRow& done) {
                        done.prediction = std::move(prediction.whole);
                        done.without = std::move(prediction.without);
                      });
}

std::vector<ScoredRow> VectorScorer::score(std::vector<Row> rows, ScoringScratch& scratch) const {
  auto texts = embedder_.embed(readable_inputs(rows), scratch, kStopped);
  return with_results(std::move(rows), std::move(texts), [](EmbeddedText text, ScoredRow& done) {
    done.prediction.tokens = text.size.tokens;
    done.prediction.truncated = text.size.truncated;
    done.prediction.windows = text.size.windows;
    done.prediction.error = std::move(text.error);
    done.vector = std::move(text.vector);
  });
}

std::vector<ScoredRow> TracingScorer::score(std::vector<Row> rows, ScoringScratch& scratch) const {
  std::vector<ScoredRow> scored;
  for (Row& row : rows) {
    if (caught_signal() != 0) break;
    ScoredRow& done = scored.emplace_back();
    done.row = std::move(row);
    score(done, scratch.encoder);
  }
  return scored;
}

void TracingScorer::score(ScoredRow& scored, Scratch& scratch) const {
  Prediction& prediction = scored.prediction;
  prediction.error = scored.row.error;
  if (!prediction.error.empty()) return;
  try {
    const Encoding encoding = classifier_.reader().encode(scored.row.input);
    Trace trace = summarizer_.wanted();
    prediction = classifier_.classify_traced(encoding, scratch, trace);
    if (!prediction.error.empty()) return;
    scored.trace_summary = summarizer_.summarize(encoding, trace.texts.front());
  } catch (const TextError& error) {
    prediction.error = error.line();
  }
}

}  // namespace headlight
