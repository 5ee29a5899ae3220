#include "math/linear.h"

#include "math/matmul.h"

namespace headlight {

void Linear::apply(RowStarts starts, ConstMatrix x, Matrix y, Activation activation) const {
  for (std::size_t text = 0; text + 1 < starts.size(); ++text) {
    const std::size_t first = starts[text];
    const std::size_t count = starts[text + 1] - first;
    multiply_transposed(x.row_range(first, count), weight, y.row_range(first, count));
  }
  if (!bias.empty()) add_bias(bias, y);
  activate(activation, y);
}

void Table::read(std::size_t index, std::span<float> out) const {
  widen(format, bytes + index * cols * bytes_each(format), out);
}

}  // namespace headlight
