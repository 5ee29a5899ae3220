#include "encoder/convolution.h"

#include <algorithm>

namespace headlight {

void gather_windows(std::size_t kernel, ConstMatrix x, Matrix out) {
  const std::size_t before = kernel / 2;
  for (std::size_t i = 0; i < x.rows; ++i) {
    float* to = out.row(i).data();
    for (std::size_t k = i; k < i + kernel; ++k, to += x.cols) {
      if (k < before || k - before >= x.rows) {
        std::fill_n(to, x.cols, 0.0F);
      } else {
        std::copy_n(x.row(k - before).data(), x.cols, to);
      }
    }
  }
}

ConstMatrix convolve(const Description& model, const Weights& weights, Pass& pass, ConstMatrix x) {
  if (!weights.convolution) return {};
  const ConvolutionDescription& convolution = *model.convolution;
  const Linear& linear = weights.convolution->linear;
  const std::size_t width = x.cols / convolution.groups;
  const Matrix out = pass.matrix(pass.scratch.convolution, x.rows, x.cols);
  const Matrix windows = pass.scratch.windows.shape(x.rows, convolution.kernel * width);
  for (std::size_t first = 0; first < x.cols; first += width) {
    const ConstMatrix columns = x.column_range(first, width);
    for (std::size_t text = 0; text < pass.batch.texts(); ++text) {
      const std::size_t row = pass.batch.starts()[text];
      const std::size_t n = pass.batch.length(text);
      gather_windows(convolution.kernel, columns.row_range(row, n), windows.row_range(row, n));
    }
    const Linear group = convolution.groups == 1 ? linear : linear.outputs(first, width);
    group.apply(windows, out.column_range(first, width), pass.fused(convolution.activation));
  }
  return pass.activated(convolution.activation, Moment::convolution, out, pass.scratch.convolution);
}

Matrix add_convolution(const LayerNorm& norm, ConstMatrix convolution, Pass& pass, Matrix x) {
  const std::span<const std::size_t> rows = pass.rows;
  if (rows.empty()) add(convolution, x);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    add(convolution.row_range(rows[i], 1), x.row_range(i, 1));
  }
  return pass.normed(norm, Moment::convolution_unnormed, x);
}

}  // namespace headlight
