// Row-major float32 matrices, and the letters that we use for shapes everywhere:
//
//   n tokens (of all texts of a batch)   d hidden size      h heads          e size of one head
//   H sum of the head sizes              f feed-forward     c classes        V vocabulary
//   m query rows                         P positions        T token types    t texts of a batch
//   r buckets of relative positions
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace headlight {

/// A view of rows × cols floats. Each row starts `stride` floats after the previous one.
template <typename T>
struct BasicMatrix {
  T* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;

  BasicMatrix() = default;
  BasicMatrix(T* data_, std::size_t rows_, std::size_t cols_)
      : BasicMatrix(data_, rows_, cols_, cols_) {}
  BasicMatrix(T* data_, std::size_t rows_, std::size_t cols_, std::size_t stride_)
      : data(data_), rows(rows_), cols(cols_), stride(stride_) {}
  /// Converts Matrix to ConstMatrix.
  template <typename U, typename = std::enable_if_t<std::is_same_v<T, const U>>>
  BasicMatrix(const BasicMatrix<U>& other)  // NOLINT(google-explicit-constructor)
      : BasicMatrix(other.data, other.rows, other.cols, other.stride) {}

  std::span<T> row(std::size_t i) const { return {data + i * stride, cols}; }
  BasicMatrix row_range(std::size_t first, std::size_t count) const {
    return {data + first * stride, count, cols, stride};
  }
  BasicMatrix column_range(std::size_t first, std::size_t count) const {
    return {data + first, rows, count, stride};
  }
};

using Matrix = BasicMatrix<float>;
using ConstMatrix = BasicMatrix<const float>;

/// to ← from, of the same shape.
inline void copy_rows(ConstMatrix from, Matrix to) {
  for (std::size_t i = 0; i < from.rows; ++i) {
    std::copy_n(from.row(i).data(), from.cols, to.row(i).data());
  }
}

/// x ← 0
inline void fill_zeros(Matrix x) {
  for (std::size_t i = 0; i < x.rows; ++i) std::fill_n(x.row(i).data(), x.cols, 0.0F);
}

/// Aligned memory that only grows. Once it is large enough, shape() does not allocate.
class Buffer {
 public:
  /// A matrix in this memory. Matrices from earlier calls become invalid. The values are
  /// uninitialized. A row takes an odd number of cache lines, so that the rows of a tile do not map
  /// to the same cache sets.
  Matrix shape(std::size_t rows, std::size_t cols) {
    const std::size_t lines = (cols * sizeof(float) + kLine - 1) / kLine;
    const std::size_t stride = (lines | 1U) * kLine / sizeof(float);
    if (rows * stride > capacity_) {
      capacity_ = rows * stride;
      data_.reset(static_cast<float*>(::operator new(capacity_ * sizeof(float), kAlignment)));
    }
    return {data_.get(), rows, cols, stride};
  }

 private:
  static constexpr std::size_t kLine = 64;  // bytes
  static constexpr std::align_val_t kAlignment{kLine};
  struct Free {
    void operator()(float* data) const { ::operator delete(data, kAlignment); }
  };
  std::unique_ptr<float, Free> data_;
  std::size_t capacity_ = 0;
};

}  // namespace headlight
