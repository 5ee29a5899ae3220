#include "numbers.h"

#include <cstdint>
#include <random>

#include "math/panel_memory.h"

namespace headlight::bench {
namespace {

constexpr std::size_t kColdBytes = std::size_t{192} << 20U;

/// Random numbers that are weights of any shape, packed or not. In huge pages where there are any,
/// as packed weights are.
std::span<const float> cold_floats() {
  static const PanelMemory kMemory = [] {
    PanelMemory memory(kColdBytes);
    fill_random({reinterpret_cast<float*>(memory.data()), kColdBytes / sizeof(float)});
    return memory;
  }();
  return {reinterpret_cast<const float*>(kMemory.data()), kColdBytes / sizeof(float)};
}

}  // namespace

void fill_random(std::span<float> values) {
  std::mt19937_64 engine(5489);
  for (float& value : values) {
    const auto whole = static_cast<std::int32_t>(engine() >> 40U);  // 24 bits
    value = static_cast<float>(whole) * 0x1p-23F - 1.0F;
  }
}

std::vector<float> random_floats(std::size_t count) {
  std::vector<float> values(count);
  fill_random(values);
  return values;
}

Matrix random_matrix(Buffer& memory, std::size_t rows, std::size_t cols) {
  const Matrix matrix = memory.shape(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) fill_random(matrix.row(i));
  return matrix;
}

ColdWeights::ColdWeights(std::size_t floats)
    : floats_(floats), copies_(cold_floats().size() / floats) {}

const float* ColdWeights::next() {
  turn_ = (turn_ + 1) % copies_;
  return cold_floats().data() + turn_ * floats_;
}

}  // namespace headlight::bench
