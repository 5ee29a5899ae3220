// A run over a file of rows, from the first row that is not scored yet to the last, or as far as
// signals, errors and the disk let it.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "model/model.h"
#include "run_options.h"

namespace headlight {

/// What a run works on.
struct RowJob {
  const TextClassifier& classifier;
  std::size_t threads;
  const Model& model;
  const ModelMarks& marks;                      // of its files
  std::chrono::steady_clock::time_point begun;  // when the first row was waited for
  RowSupply rows;
  std::function<double()> done;         // how much of the input was read, from 0 to 1; or nothing
  std::function<std::string()> header;  // what stands before the first row
  std::function<std::string(const ScoredRow&)> line;
  std::function<std::string()> nothing;  // what stands in a file without rows
};

/// Scores the rows after those that are in `result` already, and returns the exit status. Throws
/// Error where the run cannot go on; what was scored is written then.
int run_rows(const RunOptions& options, const Console& console, RowResult& result,
             const RowJob& job);

}  // namespace headlight
