#include "encoder/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/matmul.h"

namespace headlight {
namespace {

constexpr std::size_t kQueryBlock = 64;

/// scores [m, n]: row i may not see keys after position first + i.
void mask_future(std::size_t first, Matrix scores) {
  for (std::size_t i = 0; i < scores.rows; ++i) {
    const auto row = scores.row(i);
    for (std::size_t j = first + i + 1; j < row.size(); ++j) {
      row[j] = -std::numeric_limits<float>::infinity();
    }
  }
}

/// scores [m, n] of the queries at `first` and on, plus `bias` [2r - 1] by distance.
void add_relative_bias(std::size_t first, std::span<const float> bias, Matrix scores) {
  const std::size_t middle = bias.size() / 2;
  for (std::size_t i = 0; i < scores.rows; ++i) {
    const auto row = scores.row(i);
    const auto of_row = bias.subspan(middle - first - i, row.size());
    for (std::size_t j = 0; j < row.size(); ++j) row[j] += of_row[j];
  }
}

void scale_by(float factor, Matrix scores) {
  for (std::size_t i = 0; i < scores.rows; ++i) {
    for (float& x : scores.row(i)) x *= factor;
  }
}

}  // namespace

void attend(const HeadsDescription& heads, const AttentionRows& rows, Scratch& scratch,
            std::span<float> attention, Matrix out) {
  const std::size_t m = rows.query.rows;
  const std::size_t n = rows.key.rows;
  std::size_t first_column = 0;
  for (std::size_t k = 0; k < heads.sizes.size(); ++k) {
    const std::size_t e = heads.sizes[k];
    const ConstMatrix query = rows.query.column_range(first_column, e);
    const ConstMatrix key = rows.key.column_range(first_column, e);
    const ConstMatrix value = rows.value.column_range(first_column, e);
    const Matrix head_out = out.column_range(first_column, e);
    const float scale = heads.scale.value_or(1.0F / std::sqrt(static_cast<float>(e)));
    for (std::size_t first = 0; first < m; first += kQueryBlock) {
      const std::size_t count = std::min(kQueryBlock, m - first);
      const Matrix scores = scratch.scores.shape(count, n);
      multiply_transposed(query.row_range(first, count), key, scores);
      scale_by(scale, scores);
      const std::size_t position = rows.first_position + first;
      if (rows.relative_bias.rows > 0) {
        add_relative_bias(position, rows.relative_bias.row(k), scores);
      }
      if (heads.mask == AttentionMask::causal) mask_future(position, scores);
      softmax_rows(scores);
      multiply(scores, value, head_out.row_range(first, count));
      if (!attention.empty()) {
        std::copy_n(scores.data, count * n, attention.data() + (k * m + first) * n);
      }
    }
    first_column += e;
  }
}

}  // namespace headlight
