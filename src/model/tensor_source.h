// Provides the tensors of a model. With one interface, the same code can read them from a file or
// make random ones.
#pragma once

#include <cstddef>
#include <deque>
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

/// A tensor as its file has it, of any dtype.
struct StoredTensor {
  std::string dtype;  // "F32", …
  Shape shape;
  std::span<const std::byte> bytes;
};

/// Tensors by name and expected shape. Their memory is valid during the lifetime of the source.
class TensorSource {
 public:
  virtual ~TensorSource() = default;

  /// The float32 numbers of a tensor. Throws Error that names the tensor, found and expected.
  virtual std::span<const float> floats(const std::string& name, const Shape& shape) = 0;
  /// A lookup table [rows, cols].
  virtual Table table(const std::string& name, std::size_t rows, std::size_t cols) = 0;
  /// The weights [out, in] of a linear layer in their stored format.
  virtual Table weight(const std::string& name, std::size_t out, std::size_t in) = 0;
  /// The weights [out, in] of a linear layer that are stored as [in, out]; copied.
  Table transposed_weight(const std::string& name, std::size_t out, std::size_t in);
  /// The weights of a linear layer with its rows in this order; copied.
  Table ordered_weight(const std::string& name, std::span<const std::size_t> order, std::size_t in);
  /// The weights [out, kernel · in] of a convolution that are stored as [out, in, kernel]; copied.
  Table convolution_weight(const std::string& name, std::size_t out, std::size_t in,
                           std::size_t kernel);
  /// The gains [size] of a norm that multiplies by 1 + stored; copied.
  std::span<const float> gains_above_one(const std::string& name, std::size_t size);
  /// The rows of `table`, each with `row` of `other` added; copied.
  Table with_added_row(const Table& table, const Table& other, std::size_t row);
  /// The tensor as it is stored, whose numbers need not be finite; nullopt if it is not known
  /// before the request.
  virtual std::optional<StoredTensor> stored(const std::string& name) = 0;
  /// A table of memory of this source.
  Table keep(std::vector<float> values, std::size_t cols);
  /// The same of NumberFormat::i8, with the scale of each row.
  Table keep(std::vector<std::byte> integers, std::vector<float> scales);
  /// Whether the tensor exists.
  virtual bool has(const std::string& name) const = 0;
  /// The first dimension of a tensor, or nullopt if it is not known before the request.
  virtual std::optional<std::size_t> rows_of(const std::string& name) const = 0;
  /// The name of the file in errors.
  virtual const std::string& where() const = 0;

  ConstMatrix matrix(const std::string& name, std::size_t rows, std::size_t cols) {
    return {floats(name, {rows, cols}).data(), rows, cols};
  }

 private:
  std::deque<std::vector<float>> copies_;  // a deque, because callers keep spans of its elements
  std::deque<std::vector<std::byte>> integers_;
};

}  // namespace headlight
