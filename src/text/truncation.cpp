#include "text/truncation.h"

#include <algorithm>
#include <utility>

namespace headlight {

PairLengths truncate_longest_first(PairLengths lengths, std::size_t budget) {
  auto [shorter, longer] = lengths;
  if (shorter + longer <= budget) return lengths;
  const bool swapped = shorter > longer;
  if (swapped) std::swap(shorter, longer);
  longer = shorter > budget ? shorter : std::max(shorter, budget - shorter);
  if (shorter + longer > budget) {
    shorter = budget / 2;
    longer = shorter + budget % 2;
  }
  return swapped ? PairLengths{longer, shorter} : PairLengths{shorter, longer};
}

}  // namespace headlight
