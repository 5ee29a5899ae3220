#include "training/whole/batches.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

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

}  // namespace

EpochBatches::EpochBatches(std::span<const std::size_t> lengths, std::size_t tokens,
                           std::uint64_t seed, std::uint64_t epoch)
    : order_(lengths.size()) {
  std::iota(order_.begin(), order_.end(), 0U);
  std::seed_seq mixed{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
                      static_cast<std::uint32_t>(epoch), static_cast<std::uint32_t>(epoch >> 32U)};
  std::mt19937_64 engine(mixed);
  shuffle(order_, engine);
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

std::size_t usual_batch_tokens(std::span<const std::size_t> lengths) {
  constexpr std::size_t kSteps = 200;
  const std::size_t all = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  return std::clamp<std::size_t>(all / kSteps, 256, 4096);
}

}  // namespace headlight
