#include "math/linear_gradient.h"

#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "math/products.h"

namespace headlight {
namespace {

// Rows of dy that are multiplied with some panels before the next rows; they fit the level-2 cache.
constexpr std::size_t kGradientRowFloats = std::size_t{128} * 1024;
constexpr std::size_t kFewestGradientRows = 48;
constexpr std::size_t kMostGradientRows = 96;
// Panels of 16 columns that are packed and used together.
constexpr std::size_t kPanelGroup = 4;
// Rows of x and dy that are packed at a time for a gradient of weights.
constexpr std::size_t kChunk = 512;
// Rows of a gradient of weights that are computed together.
constexpr std::size_t kWeightRows = 96;
// With fewer numbers, several threads cost more time than they save.
constexpr std::size_t kGradientWorthSharing = 20'000;

/// Memory of one thread.
struct GradientWorkspace {
  std::vector<Buffer> widened;  // weights that are not stored as float32
  Buffer packed;                // weights, or x [k, in] of a chunk
  Buffer transposed;            // dyᵀ [out, k] of a chunk
};
GradientWorkspace& gradient_workspace() {
  thread_local GradientWorkspace own;
  return own;
}

/// Columns [first, first + count) of dx.
void multiply_columns(std::span<const LinearGradient> layers, std::span<const ConstMatrix> weights,
                      Matrix dx) {
  GradientWorkspace& own = gradient_workspace();
  bool adds = false;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const ConstMatrix dy = layers[i].dy;
    const std::size_t depth = weights[i].rows;
    const Panels panels{own.packed.shape(1, Panels::floats(depth, dx.cols)).data, depth, dx.cols};
    pack_columns(weights[i], const_cast<float*>(panels.data));
    const std::size_t block = std::clamp(kGradientRowFloats / std::max<std::size_t>(depth, 1),
                                         kFewestGradientRows, kMostGradientRows);
    for (std::size_t row = 0; row < dx.rows; row += block) {
      const std::size_t count = std::min(block, dx.rows - row);
      const Matrix out = dx.row_range(row, count);
      if (adds) {
        multiply_add(dy.row_range(row, count), panels, out);
      } else {
        multiply(dy.row_range(row, count), panels, nullptr, out);
      }
    }
    adds = true;
  }
}

}  // namespace

void input_gradient(std::span<const LinearGradient> layers, Matrix dx) {
  GradientWorkspace& own = gradient_workspace();
  if (own.widened.size() < layers.size()) own.widened.resize(layers.size());
  std::vector<ConstMatrix> weights;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Table& weight = layers[i].linear->weight;
    weights.push_back(weight.floats(0, weight.rows, own.widened[i]));
  }
  const std::size_t columns = kPanelGroup * kPanelColumns;
  const std::size_t parts = (dx.cols + columns - 1) / columns;
  const auto work = [&](std::size_t part) {
    const std::size_t first = part * columns;
    const std::size_t count = std::min(columns, dx.cols - first);
    std::vector<ConstMatrix> own_weights;
    own_weights.reserve(weights.size());
    for (const ConstMatrix& weight : weights) {
      own_weights.push_back(weight.column_range(first, count));
    }
    multiply_columns(layers, own_weights, dx.column_range(first, count));
  };
  if (dx.rows * dx.cols >= kGradientWorthSharing) return share_work(parts, work);
  for (std::size_t part = 0; part < parts; ++part) work(part);
}

void weight_gradient(ConstMatrix dy, ConstMatrix x, Matrix dweight) {
  GradientWorkspace& own = gradient_workspace();
  const std::size_t panels = Panels::count(x.cols);
  const std::size_t blocks = (dy.cols + kWeightRows - 1) / kWeightRows;
  const std::size_t groups = (panels + kPanelGroup - 1) / kPanelGroup;
  const auto share = [&](std::size_t parts, const auto& work) {
    if (dweight.rows * dweight.cols >= kGradientWorthSharing) return share_work(parts, work);
    for (std::size_t part = 0; part < parts; ++part) work(part);
  };
  for (std::size_t row = 0; row < x.rows; row += kChunk) {
    const std::size_t depth = std::min(kChunk, x.rows - row);
    const ConstMatrix of_x = x.row_range(row, depth);
    const ConstMatrix of_dy = dy.row_range(row, depth);
    float* const packed = own.packed.shape(1, Panels::floats(depth, x.cols)).data;
    const Matrix transposed = own.transposed.shape(dy.cols, depth);
    const auto prepare = [&](std::size_t part) {
      if (part < blocks) {
        const std::size_t first = part * kWeightRows;
        const std::size_t count = std::min(kWeightRows, dy.cols - first);
        return transpose(of_dy.column_range(first, count), transposed.row_range(first, count));
      }
      const std::size_t first = (part - blocks) * kPanelGroup * kPanelColumns;
      const std::size_t count = std::min(kPanelGroup * kPanelColumns, x.cols - first);
      pack_columns(of_x.column_range(first, count), packed + first * depth);
    };
    share(blocks + groups, prepare);
    const Panels all{packed, depth, x.cols};
    share(blocks * groups, [&](std::size_t part) {
      const std::size_t first = part / groups * kWeightRows;
      const std::size_t count = std::min(kWeightRows, dy.cols - first);
      const std::size_t panel = part % groups * kPanelGroup;
      const Panels columns = all.range(panel, std::min(kPanelGroup, panels - panel));
      multiply_add(
          transposed.row_range(first, count), columns,
          dweight.row_range(first, count).column_range(panel * kPanelColumns, columns.columns));
    });
  }
}

void bias_gradient(ConstMatrix dy, std::span<float> dbias) {
  constexpr std::size_t kColumns = 128;
  const std::size_t parts = (dbias.size() + kColumns - 1) / kColumns;
  const auto work = [&](std::size_t part) {
    const std::size_t first = part * kColumns;
    const std::size_t count = std::min(kColumns, dbias.size() - first);
    const Matrix sums(dbias.data() + first, 1, count);
    for (std::size_t i = 0; i < dy.rows; ++i) {
      add(dy.row_range(i, 1).column_range(first, count), sums);
    }
  };
  if (dy.rows * dy.cols >= kGradientWorthSharing) return share_work(parts, work);
  for (std::size_t part = 0; part < parts; ++part) work(part);
}

}  // namespace headlight
