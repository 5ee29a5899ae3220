// A stream of rows in, the same rows scored, in order, in constant memory.
#pragma once

#include <cstddef>

#include "rows/row_scorer.h"
#include "rows/row_sink.h"
#include "rows/row_source.h"

namespace headlight {

/// Reads, scores on `threads` threads and writes at the same time. What a row becomes depends on
/// the row alone. After a signal the rows in hand are finished and written, as far as they follow
/// each other. If `sink` throws, nobody waits for input any more.
void score_rows(const RowScorer& scorer, std::size_t threads, RowSource& source, RowSink& sink);

}  // namespace headlight
