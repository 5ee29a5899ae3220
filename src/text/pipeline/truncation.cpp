#include "text/pipeline/truncation.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"

namespace headlight {

PairLengths truncate(Truncation how, PairLengths lengths, std::size_t budget) {
  if (how == Truncation::only_second) {
    const auto [second, first] = truncate_only_first({lengths.second, lengths.first}, budget);
    return {first, second};
  }
  return how == Truncation::only_first ? truncate_only_first(lengths, budget)
                                       : truncate_longest_first(lengths, budget);
}

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

PairLengths truncate_only_first(PairLengths lengths, std::size_t budget) {
  if (lengths.first + lengths.second <= budget) return lengths;
  if (budget == 0) return {0, 0};
  if (lengths.second >= budget) {
    throw TextError("has no room next to the other text, which has " +
                    std::to_string(lengths.second) + " tokens and is not truncated; the limit is " +
                    std::to_string(budget) + " tokens without the special tokens");
  }
  return {budget - lengths.second, lengths.second};
}

}  // namespace headlight
