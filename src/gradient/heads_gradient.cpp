#include "gradient/heads_gradient.h"

#include <algorithm>

#include "encoder/attention_head.h"
#include "math/function_gradients.h"
#include "math/products.h"

namespace headlight {
namespace {

/// The gradients of one head; they are added to.
struct HeadGradient {
  ConstMatrix out;        // [m, e]
  Matrix query;           // [m, e]
  Matrix key, value;      // [n, e]
  std::span<float> bias;  // [2r - 1] by distance, or empty
  RelativeGradient relative = {};
};

/// A block of scores: queries from `first` on, the keys in `range`.
struct ScoresGradient {
  std::size_t first;
  KeyRange range;
  Matrix scores;  // [count, keys]: the gradients of the scaled scores; they are overwritten
};

/// sum += xᵀ · y
void add_transposed_product(ConstMatrix x, ConstMatrix y, Matrix sum) {
  thread_local Buffer memory;
  const Matrix transposed = memory.shape(x.cols, x.rows);
  transpose(x, transposed);
  multiply_add(transposed, y, sum);
}

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
  fill_zeros(table);
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

/// Adds the gradients of the head's queries, keys, bias and relative embeddings.
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

/// A [count, keys] of the block: the softmax of its scores, before dropout.
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

/// Memory of one thread.
struct HeadWorkspace {
  Buffer keys;     // [e, n] in panels
  Buffer values;   // [e, n] in panels
  Buffer weights;  // [m, n] for a block of queries
  Buffer dropped;  // [m, n]
  Buffer scores;   // [m, n]
};
HeadWorkspace& head_workspace() {
  thread_local HeadWorkspace memory;
  return memory;
}

/// The keys and values of a head in panels.
struct HeadPanels {
  Panels keys;    // [e, n]
  Panels values;  // [e, n]
};

/// The weights of queries from `first` on after dropout.
Matrix dropped_weights(const Head& head, std::size_t first, KeyRange range, Matrix weights) {
  if (head.dropout.probability <= 0.0F) return weights;
  const Matrix dropped = head_workspace().dropped.shape(weights.rows, weights.cols);
  for (std::size_t i = 0; i < weights.rows; ++i) {
    std::copy_n(weights.row(i).data(), weights.cols, dropped.row(i).data());
    head.dropout.apply(head.number, head.first_position + first + i, range.first, dropped.row(i));
  }
  return dropped;
}

/// Queries [first, first + count).
void add_block_gradient(const Head& head, std::size_t first, std::size_t count,
                        const HeadPanels& panels, const HeadGradient& gradient) {
  HeadWorkspace& memory = head_workspace();
  const std::size_t position = head.first_position + first;
  const KeyRange range = block_keys(head, position, count, panels.keys.columns);
  const Matrix weights = memory.weights.shape(count, range.count());
  softmax_block(head, panels.keys, first, range, weights);
  const ConstMatrix dout = gradient.out.row_range(first, count);
  add_transposed_product(dropped_weights(head, first, range, weights), dout,
                         gradient.value.row_range(range.first, range.count()));

  const Matrix scores = memory.scores.shape(count, range.count());
  const Panels values{panels.values.data + range.first * panels.values.depth, panels.values.depth,
                      range.count()};
  multiply(dout, values, nullptr, scores);
  for (std::size_t i = 0; i < count; ++i) {
    head.dropout.apply(head.number, position + i, range.first, scores.row(i));
  }
  softmax_gradient(weights, 1.0F, scores);
  add_score_gradient(head, {first, range, scores}, gradient);
}

/// The columns of a head in the gradients of a text.
HeadGradient head_gradient(const Head& head, const TextAttention& text,
                           const TextAttentionGradient& gradient) {
  const std::size_t e = head.query.cols;
  const auto first = static_cast<std::size_t>(head.query.data - text.query.data);
  const auto first_key = static_cast<std::size_t>(head.key.data - text.key.data);
  HeadGradient of_head{gradient.out.column_range(first, e),
                       gradient.query.column_range(first, e),
                       gradient.key.column_range(first_key, e),
                       gradient.value.column_range(first_key, e),
                       {}};
  if (gradient.relative_bias.rows > 0) of_head.bias = gradient.relative_bias.row(head.number);
  const RelativeGradient& relative = gradient.relative;
  if (relative.keys.rows > 0) {
    of_head.relative.keys = relative.keys.column_range(first_key, e);
    of_head.relative.of_keys = relative.of_keys.column_range(first_key, e);
  }
  if (relative.queries.rows > 0) {
    of_head.relative.queries = relative.queries.column_range(first, e);
    of_head.relative.of_queries = relative.of_queries.column_range(first, e);
  }
  return of_head;
}

}  // namespace

void add_head_gradient(const HeadsDescription& heads, std::size_t key_head,
                       const TextAttention& text, const TextAttentionGradient& gradient) {
  HeadWorkspace& memory = head_workspace();
  for (std::size_t k = key_head * heads.group; k < (key_head + 1) * heads.group; ++k) {
    const Head head = head_of(heads, k, text);
    const std::size_t n = head.key.rows;
    float* const packed = memory.values.shape(1, Panels::floats(head.value.cols, n)).data;
    pack(head.value, packed);
    const HeadPanels panels{packed_keys(head, memory.keys), {packed, head.value.cols, n}};
    const HeadGradient of_head = head_gradient(head, text, gradient);
    for (std::size_t block = 0; block < head.query.rows; block += kQueryBlock) {
      add_block_gradient(head, block, std::min(kQueryBlock, head.query.rows - block), panels,
                         of_head);
    }
  }
}

}  // namespace headlight
