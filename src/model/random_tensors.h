// Seeded random weights, the same on every machine.
#pragma once

#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "model/safetensors.h"
#include "model/tensor_source.h"

namespace headlight {

/// Makes each requested tensor: norms are the identity, biases 0, lookup tables and label queries
/// uniform in [-1, 1], linear weights uniform in ±√(6 / (in + out)) (Glorot and Bengio 2010,
/// "Understanding the difficulty of training deep feedforward neural networks", §4.2.1).
class RandomTensors : public TensorSource {
 public:
  explicit RandomTensors(std::uint64_t seed) : engine_(seed) {}

  /// Throws Error if the model would be too large for any memory.
  std::span<const float> floats(const std::string& name, const Shape& shape) override;
  Table table(const std::string& name, std::size_t rows, std::size_t cols) override;
  Table weight(const std::string& name, std::size_t out, std::size_t in) override;
  std::optional<StoredTensor> stored(const std::string&) override { return std::nullopt; }
  bool has(const std::string&) const override { return true; }
  std::optional<std::size_t> rows_of(const std::string&) const override { return std::nullopt; }
  const std::string& where() const override { return where_; }

  /// All requested tensors in the order of the requests.
  std::vector<NamedTensor> tensors() const;

 private:
  struct Made {
    std::string name;
    Shape shape;
    std::vector<float> values;
  };

  const Made& make(const std::string& name, const Shape& shape, float bound);

  std::string where_;       // empty: there is no file
  std::mt19937_64 engine_;  // its numbers are standardized, unlike distributions
  std::deque<Made> made_;   // a deque, because callers keep spans of its elements
  std::size_t parameters_ = 0;
};

}  // namespace headlight
