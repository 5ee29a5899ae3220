#include <algorithm>

#include "encoder/convolution.h"
#include "gradient/steps.h"
#include "math/function_gradients.h"

namespace headlight {
namespace {

/// Adds rows i of dwindows [n, k · w] to rows i - k/2 … i + k/2 of dx [n, w], which is one text.
void scatter_windows(std::size_t kernel, ConstMatrix dwindows, Matrix dx) {
  const std::size_t before = kernel / 2;
  for (std::size_t i = 0; i < dx.rows; ++i) {
    for (std::size_t k = 0; k < kernel; ++k) {
      if (i + k < before || i + k - before >= dx.rows) continue;
      add(dwindows.row_range(i, 1).column_range(k * dx.cols, dx.cols),
          dx.row_range(i + k - before, 1));
    }
  }
}

}  // namespace

void convolution_gradient(const BackwardPass& pass, Matrix dy, Matrix dx) {
  const BackwardMemory::Frame frame(pass.memory);
  const ConvolutionDescription& convolution = *pass.model.convolution;
  const ConvolutionWeights& weights = *pass.weights.convolution;
  const Tape& tape = pass.tape;
  norm_gradient(pass, weights.norm, tape.values[Moment::convolution_unnormed], dy, dy);
  const bool last = pass.model.layers.size() == 1;
  const Matrix dconvolution = pass.memory.take_zeros(dx.rows, dx.cols);  // [n, d]
  add_rows(last ? tape.rows : std::span<const std::size_t>(), dy, dconvolution);
  activation_gradient(pass, convolution.activation, tape.values[Moment::convolution], dconvolution);

  const std::size_t width = dx.cols / convolution.groups;
  const Matrix windows = pass.memory.take(dx.rows, convolution.kernel * width);
  const Matrix dwindows = pass.memory.take(dx.rows, convolution.kernel * width);
  fill_zeros(dx);
  const auto for_each_text = [&](const auto& visit) {
    for (std::size_t text = 0; text < pass.batch.texts(); ++text) {
      visit(pass.batch.starts()[text], pass.batch.length(text));
    }
  };
  for (std::size_t first = 0; first < dx.cols; first += width) {
    const ConstMatrix columns = tape.values[Moment::embedded].column_range(first, width);
    for_each_text([&](std::size_t row, std::size_t n) {
      gather_windows(convolution.kernel, columns.row_range(row, n), windows.row_range(row, n));
    });
    const Linear group = weights.linear.outputs(first, width);
    linear_gradient(pass, group, windows, dconvolution.column_range(first, width), dwindows);
    const Matrix dcolumns = dx.column_range(first, width);
    for_each_text([&](std::size_t row, std::size_t n) {
      scatter_windows(convolution.kernel, dwindows.row_range(row, n), dcolumns.row_range(row, n));
    });
  }
}

}  // namespace headlight
