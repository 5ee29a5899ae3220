// How good the logits of a trained model are on development rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "metrics/evaluation.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

struct DevelopmentFigures {
  LabelSet labels;
  Evaluation evaluation;                      // at the fitted temperature
  std::optional<TemperatureFit> temperature;  // empty: none is best, or a regression
};

/// The figures of logits [n, c] for n rows, n > 0, with a temperature that is fitted to them.
/// `keys` [n] tell which texts are equal: repeated ones count once in intervals.
DevelopmentFigures development_figures(const LabelNames& labels, const std::vector<float>& logits,
                                       std::span<const RowTarget> targets,
                                       std::span<const std::uint64_t> keys);

}  // namespace headlight
