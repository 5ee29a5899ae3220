#include "rows/scoring.h"

#include <algorithm>

#include <tbb/enumerable_thread_specific.h>

#include "base/interrupt.h"
#include "base/parallel.h"

namespace headlight {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} * 1024;  // of rows in a chunk

using Chunk = std::vector<Row>;

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

}  // namespace

std::vector<TextInput> readable_inputs(const std::vector<Row>& rows) {
  std::vector<TextInput> inputs;
  inputs.reserve(rows.size());
  for (const Row& row : rows) {
    if (row.error.empty()) inputs.push_back(row.input);
  }
  return inputs;
}

void score_chunks(const RowPace& pace, RowSource& source,
                  const std::function<ScoredChunk(std::vector<Row>, ScoringScratch&)>& score) {
  tbb::enumerable_thread_specific<ScoringScratch> scratches;
  ChunkReader reader(source, pace.rows_at_once);
  bool gap = false;  // after an unfinished chunk, nothing may be written
  const auto produce = [&] { return reader.next(); };
  const auto transform = [&](Chunk chunk) { return score(std::move(chunk), scratches.local()); };
  const auto consume = [&](const ScoredChunk& chunk) {
    if (gap) return;
    gap = !chunk.is_complete;
    try {
      chunk.write();
    } catch (...) {
      request_stop();  // the reader may be waiting for input
      throw;
    }
  };
  ordered_parallel_map<Chunk, ScoredChunk>(pace.threads, produce, transform, consume);
}

}  // namespace headlight
