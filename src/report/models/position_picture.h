// Positions and masks as pictures: the vectors that say where a token stands, and which tokens see
// which (Vaswani et al. 2017, §3.5 and §3.2.3).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/formats/heat_map.h"

namespace headlight {

/// P [n, e], a row a position, and below it the chosen `dimensions` (each < e) as curves over the
/// positions. The largest hundredth of the numbers may lie beyond the colours.
Drawing draw_positions(const std::vector<float>& vectors, std::size_t e,
                       std::span<const std::size_t> dimensions);

/// [n, n], 1 where a query (row) may see a key (column). `name` is the mask's.
Drawing draw_mask(const std::vector<float>& mask, std::size_t n, const std::string& name);

}  // namespace headlight
