// Scores a stream of rows in order, in constant memory.
#pragma once

#include <cstddef>

#include "rows/row_scorer.h"
#include "rows/row_sink.h"
#include "rows/row_source.h"

namespace headlight {

/// Reads, scores on `threads` threads and writes at the same time. The result of a row depends only
/// on the row. After a signal, the rows in progress are completed and written up to the first
/// unfinished one. If `sink` throws, waiting for input stops.
void score_rows(const RowScorer& scorer, std::size_t threads, RowSource& source, RowSink& sink);

}  // namespace headlight
