// Scores rows without parts of a model, and rows a second time.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "inside/ablated_classifier.h"
#include "measuring/row_measures.h"
#include "rows/row_spool.h"

namespace headlight {

/// `ablated` must outlive it.
ScoreTexts<AblatedPrediction> without_parts(const AblatedClassifier& ablated);

/// Adds rows that were measured before to `sums`. `thing`: as MeasuringWatch::begin().
void add_again(const AblatedClassifier& ablated, RowSpool& rows, const RowMeasures& all,
               const char* thing, AblationSums& sums,
               std::size_t rows_at_once = RowPace().rows_at_once);

using AblationClock = std::chrono::steady_clock;
/// "1.2 s"
std::string seconds_between(AblationClock::time_point begin, AblationClock::time_point end);

}  // namespace headlight
