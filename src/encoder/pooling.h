// From encoded tokens to one vector a text.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "encoder/batch.h"
#include "math/matrix.h"
#include "model/description.h"

namespace headlight {

/// Whether the pooling reads one row of a text, and which of its n: the others need not be
/// computed.
std::optional<std::size_t> pooled_row(Pooling pooling, std::size_t n);

/// x [n, d] → out [t, d]: the first row, the last, the mean or the maximum of each text.
void pool(Pooling pooling, RowStarts starts, ConstMatrix x, Matrix out);

/// The pooling of one text whose rows come one after another: the same bits as pool(). Not for
/// label attention.
class RunningPool {
 public:
  explicit RunningPool(Pooling pooling) : pooling_(pooling) {}

  /// x [m, d]: the next rows.
  void append(ConstMatrix x);
  /// Forgets all rows but the first `count`.
  void shorten(std::size_t count);
  /// out [d], of the one row or more that there are.
  void read(std::span<float> out) const;

 private:
  Pooling pooling_;
  std::size_t rows_ = 0;
  std::size_t width_ = 0;
  std::vector<double> states_;  // [n, d]: the first row, sum, maximum or last row of those so far
};

}  // namespace headlight
