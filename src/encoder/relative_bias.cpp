#include "encoder/relative_bias.h"

#include <algorithm>
#include <cstddef>

#include "math/positions.h"

namespace headlight {

ConstMatrix relative_bias(ConstMatrix table, const Batch& batch, Scratch& scratch) {
  if (table.rows == 0) return {};
  std::size_t longest = 1;
  for (std::size_t text = 0; text < batch.texts(); ++text) {
    longest = std::max(longest, batch.first_position() + batch.length(text));
  }
  const Matrix bias = scratch.relative_bias.shape(table.cols, 2 * longest - 1);  // [h, 2n - 1]
  for (std::size_t column = 0; column < bias.cols; ++column) {
    const auto distance =
        static_cast<std::ptrdiff_t>(column) - static_cast<std::ptrdiff_t>(longest - 1);
    const auto of_heads = table.row(relative_bucket(distance));  // [h]
    for (std::size_t k = 0; k < bias.rows; ++k) bias.row(k)[column] = of_heads[k];
  }
  return bias;
}

}  // namespace headlight
