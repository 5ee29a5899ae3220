#include "training/course/batches.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <utility>

#include "base/hash.h"

namespace headlight {
namespace {

/// A uniform number below `limit`. Standard distributions differ between libraries.
std::size_t below(std::size_t limit, std::mt19937_64& engine) {
  const std::uint64_t usable = UINT64_MAX - UINT64_MAX % limit;
  for (;;) {
    if (const std::uint64_t number = engine(); number < usable) return number % limit;
  }
}

void shuffle(std::vector<std::uint32_t>& order, std::mt19937_64& engine) {
  for (std::size_t left = order.size(); left > 1; --left) {
    std::swap(order[left - 1], order[below(left, engine)]);
  }
}

/// Puts up to four rows of a label together. `seed` decides on the order of the groups.
void group(std::vector<std::uint32_t>& order, std::span<const std::uint32_t> labels,
           std::uint64_t seed) {
  std::map<std::uint32_t, std::uint64_t> seen;
  std::vector<std::uint64_t> keys(order.size());
  for (const std::uint32_t row : order) {
    keys[row] = mixed_bits(seed ^ mixed_bits(seen[labels[row]]++ / 4 << 32U | labels[row]));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
}

}  // namespace

EpochBatches::EpochBatches(std::span<const std::size_t> lengths, std::size_t tokens,
                           std::uint64_t seed, std::uint64_t epoch,
                           std::span<const std::uint32_t> labels)
    : order_(lengths.size()) {
  std::iota(order_.begin(), order_.end(), 0U);
  std::seed_seq mixed{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
                      static_cast<std::uint32_t>(epoch), static_cast<std::uint32_t>(epoch >> 32U)};
  std::mt19937_64 engine(mixed);
  shuffle(order_, engine);
  if (!labels.empty()) group(order_, labels, engine());
  std::size_t filled = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::size_t length = lengths[order_[i]];
    if (filled > 0 && filled + length > tokens) {
      starts_.push_back(i);
      filled = 0;
    }
    filled += length;
  }
  if (!order_.empty()) starts_.push_back(order_.size());
}

EpochBatches::EpochBatches(std::vector<std::uint32_t> order, std::size_t batch_rows)
    : order_(std::move(order)) {
  while (starts_.back() < order_.size()) {
    starts_.push_back(std::min(order_.size(), starts_.back() + batch_rows));
  }
}

std::size_t usual_batch_tokens(std::span<const std::size_t> lengths) {
  constexpr std::size_t kSteps = 200;
  const std::size_t all = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  return std::clamp<std::size_t>(all / kSteps, 256, 4096);
}

}  // namespace headlight
