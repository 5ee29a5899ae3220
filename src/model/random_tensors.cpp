#include "model/random_tensors.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace headlight {
namespace {

constexpr std::size_t kMostParameters = 4'000'000'000;

/// The bound of the values of a tensor that is not a lookup table.
float bound_of(const std::string& name, const Shape& shape) {
  if (shape.size() < 2) return 0.0F;
  if (name == "label_attention.queries") return 1.0F;
  return std::sqrt(6.0F / static_cast<float>(shape[0] + shape[1]));
}

}  // namespace

const RandomTensors::Made& RandomTensors::make(const std::string& name, const Shape& shape,
                                               float bound) {
  // Compared by division, because a product may overflow.
  const std::size_t room = kMostParameters - parameters_;
  const bool is_empty = std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end();
  std::size_t count = is_empty ? 0 : 1;
  bool fits = true;
  for (const std::size_t size : shape) {
    fits = fits && (count == 0 || size <= room / count);
    if (fits) count *= size;
  }
  if (fits) parameters_ += count;
  if (!fits) {
    throw Error("", "tensor " + name + " of shape " + to_string(shape) +
                        " would make a model of more than " + std::to_string(kMostParameters) +
                        " parameters");
  }
  Made& tensor = made_.emplace_back(Made{name, shape, std::vector<float>(count)});
  for (float& value : tensor.values) {
    const double unit = static_cast<double>(engine_() >> 11U) * 0x1p-53;  // [0, 1)
    value = static_cast<float>((2.0 * unit - 1.0) * bound);
  }
  return tensor;
}

std::span<const float> RandomTensors::floats(const std::string& name, const Shape& shape) {
  const bool norm_gain = name.ends_with("norm.weight") || name.ends_with("LayerNorm.weight");
  const Made& tensor = make(name, shape, bound_of(name, shape));
  if (norm_gain) {
    std::fill(made_.back().values.begin(), made_.back().values.end(), 1.0F);
  }
  return tensor.values;
}

Table RandomTensors::table(const std::string& name, std::size_t rows, std::size_t cols) {
  const Made& tensor = make(name, {rows, cols}, 1.0F);
  return {NumberFormat::f32, reinterpret_cast<const std::byte*>(tensor.values.data()), rows, cols};
}

Table RandomTensors::weight(const std::string& name, std::size_t out, std::size_t in) {
  const auto values = floats(name, {out, in});
  return {NumberFormat::f32, reinterpret_cast<const std::byte*>(values.data()), out, in};
}

std::vector<NamedTensor> RandomTensors::tensors() const {
  std::vector<NamedTensor> named;
  for (const Made& tensor : made_) named.push_back({tensor.name, tensor.shape, tensor.values});
  return named;
}

}  // namespace headlight
