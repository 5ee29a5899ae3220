// Positions as numbers: sinusoids of a position, and buckets of the distance between two tokens.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headlight {

/// Vaswani et al. 2017, "Attention Is All You Need", §3.5; any d:
/// out [d]: out[2k] = sin(position / 10000^(2k/d)), out[2k+1] = cos(position / 10000^(2k/d)).
void sinusoidal_position(std::size_t position, std::span<float> out);

/// The frequencies of rotary positions that turn `size` numbers (Su et al. 2021, "RoFormer",
/// §3.4.2): [size / 2], 1 / base^(2k / size), computed in float32 as in the reference.
std::vector<float> rotary_frequencies(float base, std::size_t size);

inline constexpr std::size_t kRelativeBuckets = 32;

/// The buckets of distances between two tokens (Raffel et al. 2020, "Exploring the Limits of
/// Transfer Learning", §2.1).
struct DistanceBuckets {
  std::size_t count = kRelativeBuckets;  // at least 4
  std::size_t farthest = 128;            // this distance is in the last bucket; above count / 2
  bool backward = false;                 // keys are before their query, so no half is for others

  /// The bucket, below `count`, of a key at `distance` after its query. Half of the buckets are for
  /// each direction. In each half, the first half has a bucket for each distance; the other buckets
  /// grow in width. Computed in float32 as in the reference.
  std::size_t of(std::ptrdiff_t distance) const;

  bool operator==(const DistanceBuckets&) const = default;
};

/// The bucket of a distance in DeBERTa: itself up to buckets / 2; farther ones are logarithmic, so
/// that farthest - 1 has the bucket buckets - 1. Has the sign of the distance. `buckets` is at
/// least 2, and farthest - 1 more than buckets / 2. Computed in float32 as in the reference.
std::ptrdiff_t logarithmic_bucket(std::ptrdiff_t distance, std::size_t buckets,
                                  std::size_t farthest);

}  // namespace headlight
