#include "metrics/traced_rows.h"

#include <optional>
#include <utility>

#include <tbb/enumerable_thread_specific.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/parallel.h"

namespace headlight {
namespace {

struct TracedRow {
  ScoredRow scored;
  AttentionSums attention;
};

TracedRow trace_row(const Classifier& classifier, Row row, Scratch& scratch) {
  TracedRow traced;
  Prediction& prediction = traced.scored.prediction;
  prediction.error = row.error;
  if (row.error.empty()) {
    try {
      const Encoding encoding = classifier.reader().encode(row.input);
      Trace trace;
      trace.wants_attention = true;
      prediction = classifier.classify_traced(encoding, scratch, trace);
      if (prediction.error.empty()) {
        traced.attention.add(trace.texts.front().attention, encoding.sequences);
      }
    } catch (const TextError& error) {
      prediction.error = error.line();
    }
  }
  traced.scored.row = std::move(row);
  return traced;
}

}  // namespace

void score_traced_rows(const Classifier& classifier, std::size_t threads, const RowSupply& supply,
                       const RowSink& sink, AttentionSums& attention) {
  tbb::enumerable_thread_specific<Scratch> scratches;
  const auto produce = [&]() -> std::optional<Row> {
    if (caught_signal() != 0) return std::nullopt;
    return supply.next();
  };
  const auto transform = [&](Row row) {
    return trace_row(classifier, std::move(row), scratches.local());
  };
  const auto consume = [&](const TracedRow& traced) {
    attention.add(traced.attention);
    sink.write(traced.scored);
  };
  ordered_parallel_map<Row, TracedRow>(threads, produce, transform, consume);
  sink.flush();
}

}  // namespace headlight
