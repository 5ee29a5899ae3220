#include "encoder/dropout.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace headlight {
namespace {

/// The generator of Steele et al. 2014, "Fast Splittable Pseudorandom Number Generators", §4: a
/// number for each value of a counter.
constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;
std::uint64_t mixed_bits(std::uint64_t counter) {
  std::uint64_t z = counter * kGolden;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

std::uint64_t key_of(const Dropout& dropout, std::uint64_t place, std::size_t text) {
  const std::uint64_t number = dropout.texts.empty() ? text : dropout.texts[text];
  std::uint64_t key = mixed_bits(dropout.seed + 1);
  for (const std::uint64_t part : {dropout.step, number, place}) key = mixed_bits(key + part + 1);
  return key;
}

// A number is dropped if its 16 random bits are below this.
constexpr double kChoices = 65536.0;
std::uint32_t threshold_of(float probability) {
  return static_cast<std::uint32_t>(std::lround(static_cast<double>(probability) * kChoices));
}

/// x[j] is column first + j; `first` is a multiple of 4.
void drop_row(std::uint64_t key, float probability, std::size_t first, std::span<float> x) {
  const std::uint32_t threshold = threshold_of(probability);
  const auto factor = static_cast<float>(kChoices / (kChoices - threshold));
  for (std::size_t j = 0; j < x.size(); j += 4) {
    std::uint64_t bits = mixed_bits(key + (first + j) / 4);
    const std::size_t last = std::min(j + 4, x.size());
    for (std::size_t k = j; k < last; ++k, bits >>= 16U) {
      const bool dropped = (bits & 0xFFFFU) < threshold;
      x[k] = dropped ? 0.0F : x[k] * factor;
    }
  }
}

}  // namespace

void drop_rows(const Dropout& dropout, std::uint64_t place, const BatchRows& rows, Matrix x) {
  if (dropout.hidden <= 0.0F) return;
  const Batch& batch = rows.batch;
  share_work(batch.texts(), [&](std::size_t text) {
    const std::uint64_t key = key_of(dropout, place, text);
    const std::size_t start = batch.starts()[text];
    const auto drop = [&](std::size_t position, std::span<float> row) {
      drop_row(mixed_bits(key + position), dropout.hidden, 0, row);
    };
    if (!rows.rows.empty()) return drop(rows.rows[text] - start, x.row(text));
    for (std::size_t i = 0; i < batch.length(text); ++i) drop(i, x.row(start + i));
  });
}

void AttentionDropout::apply(std::size_t head, std::size_t position, std::size_t first,
                             std::span<float> row) const {
  if (probability <= 0.0F) return;
  drop_row(mixed_bits(mixed_bits(key + head) + position), probability, first, row);
}

AttentionDropout attention_dropout(const Dropout& dropout, std::size_t layer, std::size_t text) {
  if (dropout.attention <= 0.0F) return {};
  return {dropout.attention, key_of(dropout, DropoutPlace::attention_weights(layer), text)};
}

}  // namespace headlight
