// The most frequent wrong predictions.
#pragma once

#include <cstddef>
#include <vector>

#include "metrics/counts.h"

namespace headlight {

/// A gold label, the wrong label predicted for it, and the number of such rows.
struct Mistake {
  std::size_t gold;
  std::size_t predicted;
  std::size_t rows;
};

/// The most frequent ones first, at most `most`.
std::vector<Mistake> worst_mistakes(const ConfusionMatrix& confusion, std::size_t most);

}  // namespace headlight
