// Selection of the largest values, in descending order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headlight {

/// Positions by descending value, at most `most`; ties in position order.
std::vector<std::size_t> strongest(std::span<const double> values, std::size_t most = SIZE_MAX);

}  // namespace headlight
