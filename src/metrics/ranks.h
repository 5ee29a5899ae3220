// Ranks of values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace headlight {

/// The rank of each value, from 1; equal values share the mean of their ranks.
template <typename Number>
std::vector<double> ranks_of(const std::vector<Number>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first + 1;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    const double shared = static_cast<double>(first + 1 + last) / 2.0;
    for (std::size_t i = first; i < last; ++i) ranks[order[i]] = shared;
    first = last;
  }
  return ranks;
}

}  // namespace headlight
