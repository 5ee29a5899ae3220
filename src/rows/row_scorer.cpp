#include "rows/row_scorer.h"

#include <utility>

#include "base/error.h"
#include "base/interrupt.h"

namespace headlight {

std::vector<ScoredRow> TextScorer::score(std::vector<Row> rows, ScoringScratch& scratch) const {
  std::vector<TextInput> inputs;
  for (const Row& row : rows) {
    if (row.error.empty()) inputs.push_back(row.input);
  }
  auto predictions = classifier_.classify(inputs, scratch, [] { return caught_signal() != 0; });
  auto next = predictions.begin();
  std::vector<ScoredRow> scored;
  for (Row& row : rows) {
    const bool readable = row.error.empty();
    if (readable && next == predictions.end()) break;
    ScoredRow& done = scored.emplace_back();
    if (readable) {
      done.prediction = std::move(*next++);
    } else {
      done.prediction.error = row.error;
    }
    done.row = std::move(row);
  }
  return scored;
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
