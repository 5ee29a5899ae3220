// Products of float64 matrices, for fitting. A result has the same bits with every instruction set
// that rounds a multiply-add once (instruction_set.h): each element is one chain of multiply-adds.
// Defined in kernels/double_products.cpp.
#pragma once

#include <cstddef>

namespace headlight {

/// The columns of a result are a multiple of this.
inline constexpr std::size_t kDoubleColumns = 8;

/// `columns`, rounded up to such a multiple.
constexpr std::size_t whole_panels(std::size_t columns) {
  return (columns + kDoubleColumns - 1) / kDoubleColumns * kDoubleColumns;
}

/// A factor with any layout: element (i, j) is data[i · row_stride + j · column_stride].
struct StridedDoubles {
  const double* data;
  std::size_t row_stride;
  std::size_t column_stride;
};

struct ProductShape {
  std::size_t rows;     // m
  std::size_t inner;    // k
  std::size_t columns;  // n, a multiple of kDoubleColumns
};

/// out [m, n] += a [m, k] · b [k, n]. Rows of b and out are `stride` numbers apart.
void add_double_product(const ProductShape& shape, const StridedDoubles& a, const double* b,
                        double* out, std::size_t stride);

}  // namespace headlight
