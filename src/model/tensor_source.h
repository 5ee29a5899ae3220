// Where the numbers of a model come from: one interface, so that the same walk over the tensor
// names reads a file, or makes random ones.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "math/matrix.h"
#include "math/table.h"

namespace headlight {

using Shape = std::vector<std::size_t>;

/// "[2, 384]"
std::string to_string(const Shape& shape);

/// Tensors by name and expected shape. What is given out lives as long as the source.
class TensorSource {
 public:
  virtual ~TensorSource() = default;

  /// Float32 numbers of a tensor. Throws Error naming the tensor, found and expected.
  virtual std::span<const float> floats(const std::string& name, const Shape& shape) = 0;
  /// A tensor [rows, cols] whose rows are looked up.
  virtual Table table(const std::string& name, std::size_t rows, std::size_t cols) = 0;
  /// The weights of a linear layer, as they are stored.
  virtual Table weight(const std::string& name, std::size_t out, std::size_t in) = 0;
  /// Whether such a tensor can be asked for.
  virtual bool has(const std::string& name) const = 0;
  /// The first dimension of a tensor, where it is known before it is asked for.
  virtual std::optional<std::size_t> rows_of(const std::string& name) const = 0;
  /// The file, as errors name it.
  virtual const std::string& where() const = 0;

  ConstMatrix matrix(const std::string& name, std::size_t rows, std::size_t cols) {
    return {floats(name, {rows, cols}).data(), rows, cols};
  }
};

}  // namespace headlight
