// Options for threads, kernels and precision.
#pragma once

#include <cstddef>

#include "model/engine.h"
#include "options/options.h"
#include "rows/row_sources.h"

namespace headlight {

/// Number of rows that are read ahead to distinguish Workload::few from Workload::many.
inline constexpr std::size_t kFewTexts = 8;

/// kFewTexts of the rows must have been read ahead.
Workload workload_of(const RowsAhead& rows);
/// For a known number of texts.
Workload workload_of(std::size_t texts);

/// --threads, --kernels, --precision
class EngineOptions {
 public:
  void add_to(CLI::App& command);
  /// Only --threads.
  void add_threads_to(CLI::App& command);
  /// Also sets the threads of this process: call it once. With --verbose, reports what is used and
  /// why.
  Engine start(const Console& console) const;

 private:
  std::size_t threads_ = 0;
  Kernels kernels_ = Kernels::automatic;
  Precision precision_ = Precision::fp32;
};

}  // namespace headlight
