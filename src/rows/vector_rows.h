// Finds the end of the last complete row in an array of vectors that `embed` wrote: a header, and
// rows of the same size.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "rows/whole_rows.h"

namespace headlight {

/// A row of NaN is an error. A power failure leaves zeros, so no row ends with the bits of +0.
class VectorRowFinder : public RowFinder {
 public:
  /// A row has `width` numbers of `number_size` bytes, 4 for float32 or 2 for float16.
  VectorRowFinder(std::size_t header_size, std::size_t width, std::size_t number_size)
      : header_size_(header_size), number_size_(number_size), row_size_(width * number_size) {}

  void add(std::string_view bytes) override;
  bool is_damaged() const override { return damaged_; }
  WholeRows found() const override { return found_; }

 private:
  void take_row(std::string_view row);

  std::size_t header_size_;
  std::size_t number_size_;
  std::size_t row_size_;
  std::size_t header_ = 0;  // bytes of the header so far
  std::string pending_;     // a row that is not complete
  WholeRows found_;
  bool damaged_ = false;
};

}  // namespace headlight
