#include "rows/scoring.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include <tbb/enumerable_thread_specific.h>

#include "base/interrupt.h"
#include "base/parallel.h"

namespace headlight {
namespace {

// Rows that travel together: few at first, so that the first answer comes at once.
constexpr std::size_t kMostRows = 64;
constexpr std::size_t kMostBytes = std::size_t{64} * 1024;

using Chunk = std::vector<Row>;

struct ScoredChunk {
  std::vector<ScoredRow> rows;
  bool whole = true;
};

/// As many rows as are there without waiting, at most `most`; empty at the end.
Chunk read_chunk(const RowSupply& supply, std::size_t most) {
  Chunk chunk;
  std::size_t bytes = 0;
  while (chunk.size() < most && bytes < kMostBytes && (chunk.empty() || supply.ready())) {
    std::optional<Row> row = supply.next();
    if (!row) break;
    bytes += bytes_of(*row);
    chunk.push_back(std::move(*row));
  }
  return chunk;
}

/// Rows that could not be read keep their errors. After a signal the rows in hand are finished.
ScoredChunk score_chunk(const TextClassifier& classifier, Chunk chunk, ScoringScratch& scratch) {
  std::vector<TextInput> inputs;
  for (const Row& row : chunk) {
    if (row.error.empty()) inputs.push_back(row.input);
  }
  auto predictions = classifier.classify(inputs, scratch, [] { return caught_signal() != 0; });
  auto next = predictions.begin();
  ScoredChunk scored;
  for (Row& row : chunk) {
    const bool readable = row.error.empty();
    scored.whole = !readable || next != predictions.end();
    if (!scored.whole) break;
    ScoredRow& done = scored.rows.emplace_back();
    if (readable) {
      done.prediction = std::move(*next++);
    } else {
      done.prediction.error = row.error;
    }
    done.row = std::move(row);
  }
  return scored;
}

}  // namespace

RowsAhead read_ahead(const RowSupply& supply, std::size_t most) {
  struct State {
    std::deque<Row> rows;
    std::exception_ptr failure;  // to be thrown when its turn comes
  };
  const auto state = std::make_shared<State>();
  bool all = false;
  while (!all && state->rows.size() < most && (state->rows.empty() || supply.ready())) {
    try {
      std::optional<Row> row = supply.next();
      all = !row;
      if (row) state->rows.push_back(std::move(*row));
    } catch (...) {
      state->failure = std::current_exception();
      all = true;
    }
  }
  const auto next = [state, all, later = supply.next]() -> std::optional<Row> {
    if (!state->rows.empty()) {
      std::optional<Row> row = std::move(state->rows.front());
      state->rows.pop_front();
      return row;
    }
    if (state->failure) std::rethrow_exception(state->failure);
    return all ? std::nullopt : later();
  };
  const auto ready = [state, all, later = supply.ready] {
    return !state->rows.empty() || all || later();
  };
  return {{next, ready}, all};
}

void score_rows(const TextClassifier& classifier, std::size_t threads, const RowSupply& supply,
                const RowSink& sink) {
  tbb::enumerable_thread_specific<ScoringScratch> scratches;
  std::size_t most = 1;
  bool gap = false;  // after a chunk that was not finished nothing may be written
  const auto produce = [&]() -> std::optional<Chunk> {
    Chunk chunk = read_chunk(supply, most);
    most = std::min(2 * most, kMostRows);
    if (chunk.empty()) return std::nullopt;
    return chunk;
  };
  const auto transform = [&](Chunk chunk) {
    return score_chunk(classifier, std::move(chunk), scratches.local());
  };
  const auto consume = [&](const ScoredChunk& chunk) {
    if (gap) return;
    gap = !chunk.whole;
    try {
      for (const ScoredRow& row : chunk.rows) sink.write(row);
      sink.flush();
    } catch (...) {
      request_stop();  // the reader may be waiting for input
      throw;
    }
  };
  ordered_parallel_map<Chunk, ScoredChunk>(threads, produce, transform, consume);
}

}  // namespace headlight
