// Seeded random weights for a description, the same on every machine.
#pragma once

#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "model/safetensors.h"
#include "model/tensor_source.h"

namespace headlight {

/// Makes each tensor that is asked for: norms begin as identity, biases as 0, lookup tables and
/// label queries uniform in [-1, 1], linear weights uniform in ±√(6 / (in + out)) (Glorot and
/// Bengio 2010, "Understanding the difficulty of training deep feedforward neural networks",
/// §4.2.1).
class RandomTensors : public TensorSource {
 public:
  explicit RandomTensors(std::uint64_t seed) : engine_(seed) {}

  /// Throws Error where the model would not fit in any memory.
  std::span<const float> floats(const std::string& name, const Shape& shape) override;
  Table table(const std::string& name, std::size_t rows, std::size_t cols) override;
  Table weight(const std::string& name, std::size_t out, std::size_t in) override;
  bool has(const std::string&) const override { return true; }
  std::optional<std::size_t> rows_of(const std::string&) const override { return std::nullopt; }
  const std::string& where() const override { return where_; }

  /// Everything that was asked for, in that order.
  std::vector<NamedTensor> tensors() const;

 private:
  struct Made {
    std::string name;
    Shape shape;
    std::vector<float> values;
  };

  const Made& make(const std::string& name, const Shape& shape, float bound);

  std::string where_;       // nowhere
  std::mt19937_64 engine_;  // its numbers are the standard's; its distributions are not
  std::deque<Made> made_;   // what was given out stays where it is
  std::size_t parameters_ = 0;
};

}  // namespace headlight
