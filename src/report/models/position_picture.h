// Pictures of positions and masks: the position vectors, and which tokens may attend to which
// (Vaswani et al. 2017, §3.5 and §3.2.3).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/formats/heat_map.h"

namespace headlight {

/// P [n, e] with one row per position, and below it the chosen `dimensions` (each < e) as curves
/// over the positions. The largest 1 % of the values may exceed the colour scale.
Drawing draw_positions(const std::vector<float>& vectors, std::size_t e,
                       std::span<const std::size_t> dimensions);

/// [n, n], 1 if a query (row) may attend to a key (column), with a grid to count cells by. `name`
/// is the name of the mask.
Drawing draw_mask(const std::vector<float>& mask, std::size_t n, const std::string& name);

}  // namespace headlight
