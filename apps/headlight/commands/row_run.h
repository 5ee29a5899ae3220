// Scores a file of rows, from the first row that is not scored yet to the last, or until a signal
// or an error stops the run.
#pragma once

#include <cstddef>

#include "model/model.h"
#include "options/row_options.h"
#include "options/run_options.h"
#include "report/predictions/row_serializer.h"
#include "rows/row_scorer.h"
#include "rows/row_source.h"

namespace headlight {

/// Inputs of a run.
struct RowJob {
  const RowScorer& scorer;
  std::size_t threads;
  const Model& model;
  const ModelMarks& marks;                      // of its files
  std::chrono::steady_clock::time_point begun;  // when reading began
  OpenRows& input;
  RowSource& rows;  // rows of `input`, prepared for scoring
  RowSerializer& writer;
};

/// Scores the rows that are not yet in `result` and returns the exit status. Throws Error if the
/// run cannot continue; the rows scored until then have been written.
int run_rows(const RunOptions& options, const Console& console, RowResult& result,
             const RowJob& job);

}  // namespace headlight
