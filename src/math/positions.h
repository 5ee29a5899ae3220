// Sinusoidal position encoding (Vaswani et al. 2017, "Attention Is All You Need", §3.5).
#pragma once

#include <cstddef>
#include <span>

namespace headlight {

/// out [d]: out[2k] = sin(position / 10000^(2k/d)), out[2k+1] = cos(position / 10000^(2k/d)); any
/// d.
void sinusoidal_position(std::size_t position, std::span<float> out);

}  // namespace headlight
