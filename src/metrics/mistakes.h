// Which labels are taken for which.
#pragma once

#include <cstddef>
#include <vector>

#include "metrics/counts.h"

namespace headlight {

/// What a model gives for one that it should, and how often.
struct Mistake {
  std::size_t gold;
  std::size_t predicted;
  std::size_t rows;
};

/// The most frequent ones first, at most `most`.
std::vector<Mistake> worst_mistakes(const ConfusionMatrix& confusion, std::size_t most);

}  // namespace headlight
