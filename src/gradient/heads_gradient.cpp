#include "gradient/heads_gradient.h"

#include <algorithm>
#include <numeric>

#include "encoder/attention_head.h"
#include "math/function_gradients.h"
#include "math/products.h"

namespace headlight {
namespace {

/// Memory of one thread.
struct HeadWorkspace {
  Buffer keys;        // [e, n] in panels
  Buffer values;      // [e, n] in panels
  Buffer weights;     // [m, n] for a block of queries
  Buffer dropped;     // [m, n]
  Buffer scores;      // [m, n]
  Buffer transposed;  // [n, m]
};
HeadWorkspace& head_workspace() {
  thread_local HeadWorkspace own;
  return own;
}

/// The gradients of one head.
struct HeadGradient {
  ConstMatrix out;        // [m, e]
  Matrix query;           // [m, e]
  Matrix key, value;      // [n, e]
  std::span<float> bias;  // [2r - 1], or empty
};

/// The keys and values of a head in panels.
struct HeadPanels {
  Panels keys;    // [e, n]
  Panels values;  // [e, n]
};

/// Adds the gradients of scores [count, …] from key `first` on to the bias by distance.
void add_bias_gradient(std::size_t position, std::size_t first, ConstMatrix scores,
                       std::span<float> bias) {
  for (std::size_t i = 0; i < scores.rows; ++i) {
    float* const own = bias.data() + (bias.size() / 2 + first) - (position + i);
    const auto row = scores.row(i);
    for (std::size_t j = 0; j < row.size(); ++j) {
      // Keys that the query does not see may be farther away than the bias reaches.
      if (row[j] != 0.0F) own[j] += row[j];
    }
  }
}

/// Queries [first, first + count).
void add_block_gradient(const Head& head, std::size_t first, std::size_t count,
                        const HeadPanels& panels, const HeadGradient& gradient) {
  HeadWorkspace& own = head_workspace();
  const std::size_t n = panels.keys.columns;
  const std::size_t position = head.first_position + first;
  const KeyRange range = block_keys(head, position, count, n);
  const Matrix weights = own.weights.shape(count, range.count());
  score_block(head, first, panels.keys, range, weights);
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = weights.row(i);
    const float factor = 1.0F / exp_scores(head, position + i, range.first, n, row);
    for (float& x : row) x *= factor;
  }
  const auto drop = [&](Matrix rows) {
    for (std::size_t i = 0; i < count; ++i) {
      head.dropout.apply(head.number, position + i, range.first, rows.row(i));
    }
  };
  const ConstMatrix dout = gradient.out.row_range(first, count);
  Matrix used = weights;
  if (head.dropout.probability > 0.0F) {
    used = own.dropped.shape(count, range.count());
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(weights.row(i).data(), weights.cols, used.row(i).data());
    }
    drop(used);
  }
  const Matrix transposed = own.transposed.shape(range.count(), count);
  transpose(used, transposed);
  multiply_add(transposed, dout, gradient.value.row_range(range.first, range.count()));

  const Matrix scores = own.scores.shape(count, range.count());
  const Panels values{panels.values.data + range.first * panels.values.depth, panels.values.depth,
                      range.count()};
  multiply(dout, values, nullptr, scores);
  drop(scores);
  softmax_gradient(weights, gradient.bias.empty() ? head.scale : 1.0F, scores);
  if (!gradient.bias.empty()) {
    add_bias_gradient(position, range.first, scores, gradient.bias);
    for (std::size_t i = 0; i < count; ++i) {
      for (float& x : scores.row(i)) x *= head.scale;
    }
  }
  multiply_add(scores, head.key.row_range(range.first, range.count()),
               gradient.query.row_range(first, count));
  transpose(scores, transposed);
  multiply_add(transposed, head.query.row_range(first, count),
               gradient.key.row_range(range.first, range.count()));
}

}  // namespace

void add_head_gradient(const HeadsDescription& heads, std::size_t key_head,
                       const TextAttention& text, const TextAttentionGradient& gradient) {
  HeadWorkspace& own = head_workspace();
  for (std::size_t k = key_head * heads.group; k < (key_head + 1) * heads.group; ++k) {
    const Head head = head_of(heads, k, text);
    const std::size_t e = heads.sizes[k];
    const auto first = static_cast<std::size_t>(head.query.data - text.query.data);
    const auto first_key = static_cast<std::size_t>(head.key.data - text.key.data);
    const std::size_t n = head.key.rows;
    float* const packed = own.values.shape(1, Panels::floats(e, n)).data;
    pack(head.value, packed);
    const HeadPanels panels{packed_keys(head, own.keys), {packed, e, n}};
    const HeadGradient of_head{
        gradient.out.column_range(first, e), gradient.query.column_range(first, e),
        gradient.key.column_range(first_key, e), gradient.value.column_range(first_key, e),
        gradient.relative_bias.rows > 0 ? gradient.relative_bias.row(k) : std::span<float>()};
    for (std::size_t block = 0; block < head.query.rows; block += kQueryBlock) {
      add_block_gradient(head, block, std::min(kQueryBlock, head.query.rows - block), panels,
                         of_head);
    }
  }
}

}  // namespace headlight
