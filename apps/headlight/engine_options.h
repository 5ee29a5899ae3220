// The options that say what a command computes with.
#pragma once

#include <cstddef>

#include "model/engine.h"
#include "options.h"
#include "rows/rows_ahead.h"

namespace headlight {

/// How many rows are read ahead to tell few from many.
inline constexpr std::size_t kFewTexts = 8;

/// For rows of which kFewTexts were read ahead.
Workload workload_of(const RowsAhead& rows);
/// For a known number of texts.
Workload workload_of(std::size_t texts);

/// --threads, --kernels, --precision
class EngineOptions {
 public:
  void add_to(CLI::App& command);
  /// Says with --verbose what is used and why. Throws UsageError for options that do not go
  /// together.
  Engine start(const Console& console) const;

 private:
  std::size_t threads_ = 0;
  Kernels kernels_ = Kernels::automatic;
  Precision precision_ = Precision::fp32;
};

}  // namespace headlight
