#include "rows/scoring.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <tbb/enumerable_thread_specific.h>

#include "base/interrupt.h"
#include "base/parallel.h"

namespace headlight {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} * 1024;  // of rows in a chunk

using Chunk = std::vector<Row>;

struct ScoredChunk {
  std::vector<ScoredRow> rows;
  bool whole = true;
};

/// Reads rows in chunks. The first chunks are small, so that the first result comes early.
class ChunkReader {
 public:
  ChunkReader(RowSource& source, std::size_t largest) : source_(source), largest_(largest) {}

  /// Waits for one row and adds the rows that are available and fit. Returns nullopt at the end.
  std::optional<Chunk> next() {
    Chunk chunk;
    std::size_t bytes = 0;
    while (chunk.size() < most_ && bytes < kMostBytes && (chunk.empty() || source_.ready())) {
      std::optional<Row> row = source_.next();
      if (!row) break;
      bytes += bytes_of(*row);
      chunk.push_back(std::move(*row));
    }
    most_ = std::min(2 * most_, largest_);
    if (chunk.empty()) return std::nullopt;
    return chunk;
  }

 private:
  RowSource& source_;
  std::size_t largest_;
  std::size_t most_ = 1;
};

ScoredChunk score_chunk(const RowScorer& scorer, Chunk chunk, ScoringScratch& scratch) {
  const std::size_t count = chunk.size();
  ScoredChunk scored;
  scored.rows = scorer.score(std::move(chunk), scratch);
  scored.whole = scored.rows.size() == count;
  return scored;
}

void write_chunk(const ScoredChunk& chunk, RowSink& sink) {
  try {
    for (const ScoredRow& row : chunk.rows) sink.write(row);
    sink.flush();
  } catch (...) {
    request_stop();  // the reader may be waiting for input
    throw;
  }
}

}  // namespace

void score_rows(const RowScorer& scorer, std::size_t threads, RowSource& source, RowSink& sink) {
  tbb::enumerable_thread_specific<ScoringScratch> scratches;
  ChunkReader reader(source, scorer.rows_at_once());
  bool gap = false;  // after an unfinished chunk, nothing may be written
  const auto produce = [&] { return reader.next(); };
  const auto transform = [&](Chunk chunk) {
    return score_chunk(scorer, std::move(chunk), scratches.local());
  };
  const auto consume = [&](const ScoredChunk& chunk) {
    if (gap) return;
    gap = !chunk.whole;
    write_chunk(chunk, sink);
  };
  ordered_parallel_map<Chunk, ScoredChunk>(threads, produce, transform, consume);
}

}  // namespace headlight
