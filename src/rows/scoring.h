// A stream of rows in, the same rows scored, in order, in constant memory.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "classifier/text_classifier.h"
#include "rows/row.h"

namespace headlight {

/// Where rows come from. `ready` says whether `next` would return without waiting.
struct RowSupply {
  std::function<std::optional<Row>()> next;
  std::function<bool()> ready;
};

/// A supply of the same rows, the first of which are read already.
struct RowsAhead {
  RowSupply supply;
  bool all = false;  // nothing comes after those
};

/// Reads at most `most` rows, as long as they come without waiting.
RowsAhead read_ahead(const RowSupply& supply, std::size_t most);

struct ScoredRow {
  Row row;
  Prediction prediction;  // its error is also set where the row could not be read
};

/// Where rows go. `flush` is called whenever what was scored is to be handed on: before input is
/// waited for, at the latest.
struct RowSink {
  std::function<void(const ScoredRow&)> write;
  std::function<void()> flush;
};

/// Reads, scores on `threads` threads and writes at the same time. What a row becomes depends on
/// the row alone. After a signal the rows in hand are finished and written, as far as they follow
/// each other.
void score_rows(const TextClassifier& classifier, std::size_t threads, const RowSupply& supply,
                const RowSink& sink);

}  // namespace headlight
