// Products with many rows, cut into blocks whose rows and panels stay in a level-2 cache, and
// shared with idle threads. How a product is cut changes no bits (products.h).
#pragma once

#include <cstddef>
#include <functional>

#include "math/matrix.h"
#include "math/products.h"

namespace headlight {

/// x [n, k] · w [k, o]
struct ProductSize {
  std::size_t rows;    // n
  std::size_t depth;   // k
  std::size_t panels;  // of w
};

/// Some rows and some panels of a product.
struct ProductBlock {
  std::size_t first_row;
  std::size_t rows;
  std::size_t first_panel;
  std::size_t panels;

  /// The block of a result [n, o], or of another matrix of its size.
  template <typename T>
  BasicMatrix<T> of(BasicMatrix<T> y) const {
    const std::size_t first = first_panel * kPanelColumns;
    const std::size_t most = panels * kPanelColumns;
    const std::size_t left = y.cols - first;
    return y.row_range(first_row, rows).column_range(first, left < most ? left : most);
  }
};

/// Calls work(block) for blocks that together are the product, each once.
void share_product(const ProductSize& size, const std::function<void(const ProductBlock&)>& work);

/// Packs a right-hand side [k, o] as it is, in `memory`.
Panels share_packing_columns(ConstMatrix columns, Buffer& memory);

/// Calls work(first, count) for a few panels at a time.
void share_panels(std::size_t panels, const std::function<void(std::size_t, std::size_t)>& work);

}  // namespace headlight
