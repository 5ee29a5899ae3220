#include "inside/strongest.h"

#include <algorithm>
#include <numeric>

namespace headlight {

std::vector<std::size_t> strongest(std::span<const double> values, std::size_t most) {
  std::vector<std::size_t> positions(values.size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  std::ranges::stable_sort(positions,
                           [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  positions.resize(std::min(positions.size(), most));
  return positions;
}

}  // namespace headlight
