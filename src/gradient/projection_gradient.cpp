#include "gradient/projection_gradient.h"

#include <algorithm>

namespace headlight {
namespace {

/// One projection whose heads each read their slice of x: adds its gradients, and that of x to dx.
void slice_gradient(const BackwardPass& pass, const HeadsDescription& heads,
                    const LinearGradient& projection, ConstMatrix x, Matrix dx) {
  std::size_t first = 0;
  for (const std::size_t e : heads.sizes) {
    const BackwardMemory::Frame frame(pass.memory);
    const Linear own = projection.linear->outputs(first, e);
    const ConstMatrix dy = projection.dy.column_range(first, e);
    const Matrix dslice = pass.memory.take(x.rows, e);
    linear_gradient(pass, own, x.column_range(first, e), dy, dslice);
    add(dslice, dx.column_range(first, e));
    first += e;
  }
}

}  // namespace

ConstMatrix context_gradient(const BackwardPass& pass, const std::optional<Linear>& output,
                             ConstMatrix context, ConstMatrix dy) {
  if (!output) return dy;
  const Matrix out = pass.memory.take(dy.rows, output->in());
  linear_gradient(pass, *output, context, dy, out);
  return out;
}

void projections_gradient(const BackwardPass& pass, const HeadsDescription& heads,
                          std::span<const LinearGradient> projections, ConstMatrix x, Matrix dx) {
  if (heads.input == HeadInput::full) {
    for (const LinearGradient& projection : projections) {
      add_linear_gradient(pass, *projection.linear, x, projection.dy);
    }
    return input_gradient(projections, dx);
  }
  for (std::size_t i = 0; i < dx.rows; ++i) std::fill_n(dx.row(i).data(), dx.cols, 0.0F);
  for (const LinearGradient& projection : projections) {
    slice_gradient(pass, heads, projection, x, dx);
  }
}

}  // namespace headlight
