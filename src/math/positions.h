// Where a token stands, as numbers: sinusoids of its position, and buckets of how far another is.
#pragma once

#include <cstddef>
#include <span>

namespace headlight {

/// Vaswani et al. 2017, "Attention Is All You Need", §3.5; any d:
/// out [d]: out[2k] = sin(position / 10000^(2k/d)), out[2k+1] = cos(position / 10000^(2k/d)).
void sinusoidal_position(std::size_t position, std::span<float> out);

inline constexpr std::size_t kRelativeBuckets = 32;

/// The bucket, below kRelativeBuckets, of a key that stands `distance` after its query: half of
/// them for each direction; in it one each for distances below 8, then wider and wider ones up to
/// 128, in float32 as the reference computes them (Raffel et al. 2020, "Exploring the Limits of
/// Transfer Learning", §2.1).
std::size_t relative_bucket(std::ptrdiff_t distance);

}  // namespace headlight
