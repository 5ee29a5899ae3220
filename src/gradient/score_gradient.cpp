#include "gradient/score_gradient.h"

#include <algorithm>

#include "math/products.h"

namespace headlight {
namespace {

/// Adds the gradients of scores [count, …] to the bias by distance.
void add_bias_gradient(std::size_t position, std::size_t first, ConstMatrix scores,
                       std::span<float> bias) {
  for (std::size_t i = 0; i < scores.rows; ++i) {
    const auto row = scores.row(i);
    for (std::size_t j = 0; j < row.size(); ++j) {
      // Keys that the query does not see may be farther away than the bias reaches.
      if (row[j] != 0.0F) bias[bias.size() / 2 + first + j - (position + i)] += row[j];
    }
  }
}

/// The columns of a query at `position` for the keys from `key` on, as in the forward pass.
const std::uint32_t* relative_columns_from(const RelativeHead& head, std::size_t position,
                                           std::size_t key) {
  return head.columns.data() + head.columns.size() / 2 + key - position;
}

/// The embeddings that a block of scores reads: [lowest, highest].
struct ColumnRange {
  std::size_t lowest;
  std::size_t highest;
  std::size_t count() const { return highest - lowest + 1; }
};
ColumnRange block_columns(const Head& head, const ScoresGradient& block) {
  // Columns fall from key to key, and rise from query to query.
  const std::size_t position = head.first_position + block.first;
  const std::size_t last = position + block.scores.rows - 1;
  return {relative_columns_from(head.relative, position, block.range.first)[block.scores.cols - 1],
          *relative_columns_from(head.relative, last, block.range.first)};
}

/// The gradients of the products with relative embeddings: a row for each query, or for each key.
Matrix relative_table(const Head& head, const ScoresGradient& block, const ColumnRange& columns,
                      bool of_keys) {
  thread_local Buffer memory;
  const std::size_t rows = of_keys ? block.scores.cols : block.scores.rows;
  const Matrix table = memory.shape(rows, columns.count());
  for (std::size_t i = 0; i < rows; ++i) std::fill_n(table.row(i).data(), table.cols, 0.0F);
  for (std::size_t i = 0; i < block.scores.rows; ++i) {
    const std::uint32_t* const column = relative_columns_from(
        head.relative, head.first_position + block.first + i, block.range.first);
    const auto scores = block.scores.row(i);
    for (std::size_t j = 0; j < scores.size(); ++j) {
      table.row(of_keys ? j : i)[column[j] - columns.lowest] += scores[j];
    }
  }
  return table;
}

/// q_i · K_c
void add_content_to_position_gradient(const Head& head, const ScoresGradient& block,
                                      const HeadGradient& gradient) {
  const ColumnRange columns = block_columns(head, block);
  const std::size_t count = block.scores.rows;
  const Matrix table = relative_table(head, block, columns, /*of_keys=*/false);
  multiply_add(table, gradient.relative.keys.row_range(columns.lowest, columns.count()),
               gradient.query.row_range(block.first, count));
  add_transposed_product(table, head.query.row_range(block.first, count),
                         gradient.relative.of_keys.row_range(columns.lowest, columns.count()));
}

/// k_j · Q_c
void add_position_to_content_gradient(const Head& head, const ScoresGradient& block,
                                      const HeadGradient& gradient) {
  const ColumnRange columns = block_columns(head, block);
  const std::size_t keys = block.scores.cols;
  const Matrix table = relative_table(head, block, columns, /*of_keys=*/true);
  multiply_add(table, gradient.relative.queries.row_range(columns.lowest, columns.count()),
               gradient.key.row_range(block.range.first, keys));
  add_transposed_product(table, head.key.row_range(block.range.first, keys),
                         gradient.relative.of_queries.row_range(columns.lowest, columns.count()));
}

}  // namespace

void add_transposed_product(ConstMatrix x, ConstMatrix y, Matrix sum) {
  thread_local Buffer memory;
  const Matrix transposed = memory.shape(x.cols, x.rows);
  transpose(x, transposed);
  multiply_add(transposed, y, sum);
}

void add_score_gradient(const Head& head, const ScoresGradient& block,
                        const HeadGradient& gradient) {
  const std::size_t count = block.scores.rows;
  if (!gradient.bias.empty()) {
    add_bias_gradient(head.first_position + block.first, block.range.first, block.scores,
                      gradient.bias);
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (float& score : block.scores.row(i)) score *= head.scale;
  }
  multiply_add(block.scores, head.key.row_range(block.range.first, block.range.count()),
               gradient.query.row_range(block.first, count));
  add_transposed_product(block.scores, head.query.row_range(block.first, count),
                         gradient.key.row_range(block.range.first, block.range.count()));
  if (gradient.relative.keys.rows > 0) add_content_to_position_gradient(head, block, gradient);
  if (gradient.relative.queries.rows > 0) add_position_to_content_gradient(head, block, gradient);
}

void softmax_block(const Head& head, const Panels& keys, std::size_t first, KeyRange range,
                   Matrix weights) {
  score_block(head, first, keys, range, weights);
  const std::size_t position = head.first_position + first;
  for (std::size_t i = 0; i < weights.rows; ++i) {
    const auto row = weights.row(i);
    const float factor = 1.0F / exp_scores(head, position + i, range.first, keys.columns, row);
    for (float& x : row) x *= factor;
  }
}

}  // namespace headlight
