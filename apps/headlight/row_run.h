// A run over a file of rows, from the first row that is not scored yet to the last, or as far as
// signals, errors and the disk let it.
#pragma once

#include <cstddef>

#include "model/model.h"
#include "report/predictions/row_writer.h"
#include "row_options.h"
#include "rows/row_scorer.h"
#include "rows/row_source.h"
#include "run_options.h"

namespace headlight {

/// What a run works on.
struct RowJob {
  const RowScorer& scorer;
  std::size_t threads;
  const Model& model;
  const ModelMarks& marks;                      // of its files
  std::chrono::steady_clock::time_point begun;  // when the first row was waited for
  OpenRows& input;
  RowSource& rows;  // those of the input, as they are to be scored
  RowWriter& writer;
};

/// Scores the rows after those that are in `result` already, and returns the exit status. Throws
/// Error where the run cannot go on; what was scored is written then.
int run_rows(const RunOptions& options, const Console& console, RowResult& result,
             const RowJob& job);

}  // namespace headlight
