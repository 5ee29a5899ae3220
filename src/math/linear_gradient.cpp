#include "math/linear_gradient.h"

#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "math/function_gradients.h"
#include "math/products.h"
#include "math/shared_product.h"

namespace headlight {
namespace {

// Rows of x and dy that are packed at a time for a gradient of weights.
constexpr std::size_t kChunk = 512;
// Columns of dy that are transposed together.
constexpr std::size_t kTransposed = 96;
// With fewer numbers, several threads cost more time than they save.
constexpr std::size_t kGradientWorthSharing = 20'000;

/// Memory of one thread.
struct GradientWorkspace {
  std::vector<Buffer> widened;  // weights that are not stored as float32
  std::vector<Buffer> weights;  // in panels
  Buffer packed;                // x [k, in] of a chunk
  Buffer transposed;            // dyᵀ [out, k] of a chunk
};
GradientWorkspace& gradient_workspace() {
  thread_local GradientWorkspace own;
  return own;
}

/// The columns `first` to `first + count` of dbias += Σ over the rows of dy.
void add_columns(ConstMatrix dy, std::size_t first, std::size_t count, std::span<float> dbias) {
  add_row_sums(dy.column_range(first, count), dbias.subspan(first, count));
}

}  // namespace

void input_gradient(std::span<const LinearGradient> layers, Matrix dx) {
  GradientWorkspace& own = gradient_workspace();
  own.widened.resize(std::max(own.widened.size(), layers.size()));
  own.weights.resize(own.widened.size());
  std::vector<Panels> weights;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Table& weight = layers[i].linear->weight;
    weights.push_back(
        share_packing_columns(weight.floats(0, weight.rows, own.widened[i]), own.weights[i]));
    depth = std::max(depth, weight.rows);
  }
  share_product({dx.rows, depth, Panels::count(dx.cols)}, [&](const ProductBlock& block) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const ConstMatrix dy = layers[i].dy.row_range(block.first_row, block.rows);
      const Panels panels = weights[i].range(block.first_panel, block.panels);
      if (i == 0) {
        multiply(dy, panels, nullptr, block.of(dx));
      } else {
        multiply_add(dy, panels, block.of(dx));
      }
    }
  });
}

void weight_gradient(ConstMatrix dy, ConstMatrix x, Matrix dweight, std::span<float> dbias) {
  GradientWorkspace& own = gradient_workspace();
  const std::size_t parts = (dy.cols + kTransposed - 1) / kTransposed;
  for (std::size_t row = 0; row < x.rows; row += kChunk) {
    const std::size_t depth = std::min(kChunk, x.rows - row);
    const ConstMatrix of_dy = dy.row_range(row, depth);
    const Matrix transposed = own.transposed.shape(dy.cols, depth);
    const auto prepare = [&](std::size_t part) {
      const std::size_t first = part * kTransposed;
      const std::size_t count = std::min(kTransposed, dy.cols - first);
      transpose(of_dy.column_range(first, count), transposed.row_range(first, count));
      if (!dbias.empty()) add_columns(of_dy, first, count, dbias);  // while it is in the cache
    };
    const Panels panels = share_packing_columns(x.row_range(row, depth), own.packed);
    share_work(parts, prepare);
    share_product({dy.cols, depth, Panels::count(x.cols)}, [&](const ProductBlock& block) {
      multiply_add(transposed.row_range(block.first_row, block.rows),
                   panels.range(block.first_panel, block.panels), block.of(dweight));
    });
  }
}

void bias_gradient(ConstMatrix dy, std::span<float> dbias) {
  constexpr std::size_t kColumns = 128;
  const std::size_t parts = (dbias.size() + kColumns - 1) / kColumns;
  const auto work = [&](std::size_t part) {
    const std::size_t first = part * kColumns;
    add_columns(dy, first, std::min(kColumns, dbias.size() - first), dbias);
  };
  if (dy.rows * dy.cols >= kGradientWorthSharing) return share_work(parts, work);
  for (std::size_t part = 0; part < parts; ++part) work(part);
}

}  // namespace headlight
