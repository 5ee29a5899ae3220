#include "gradient/heads_gradient.h"

#include <algorithm>

#include "math/function_gradients.h"
#include "math/products.h"

namespace headlight {
namespace {

/// Memory of one thread.
struct HeadWorkspace {
  Buffer keys;     // [e, n] in panels
  Buffer values;   // [e, n] in panels
  Buffer weights;  // [m, n] for a block of queries
  Buffer dropped;  // [m, n]
  Buffer scores;   // [m, n]
};
HeadWorkspace& head_workspace() {
  thread_local HeadWorkspace own;
  return own;
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
  HeadWorkspace& own = head_workspace();
  const std::size_t position = head.first_position + first;
  const KeyRange range = block_keys(head, position, count, panels.keys.columns);
  const Matrix weights = own.weights.shape(count, range.count());
  softmax_block(head, panels.keys, first, range, weights);
  const ConstMatrix dout = gradient.out.row_range(first, count);
  add_transposed_product(dropped_weights(head, first, range, weights), dout,
                         gradient.value.row_range(range.first, range.count()));

  const Matrix scores = own.scores.shape(count, range.count());
  const Panels values{panels.values.data + range.first * panels.values.depth, panels.values.depth,
                      range.count()};
  multiply(dout, values, nullptr, scores);
  for (std::size_t i = 0; i < count; ++i) {
    head.dropout.apply(head.number, position + i, range.first, scores.row(i));
  }
  softmax_gradient(weights, 1.0F, scores);
  add_score_gradient(head, {first, range, scores}, gradient);
}

/// The part of the gradients of a text that belongs to a head of it.
HeadGradient head_gradient(const Head& head, const TextAttention& text,
                           const TextAttentionGradient& gradient) {
  const std::size_t e = head.query.cols;
  const auto first = static_cast<std::size_t>(head.query.data - text.query.data);
  const auto first_key = static_cast<std::size_t>(head.key.data - text.key.data);
  HeadGradient own{gradient.out.column_range(first, e),
                   gradient.query.column_range(first, e),
                   gradient.key.column_range(first_key, e),
                   gradient.value.column_range(first_key, e),
                   {}};
  if (gradient.relative_bias.rows > 0) own.bias = gradient.relative_bias.row(head.number);
  const RelativeGradient& relative = gradient.relative;
  if (relative.keys.rows > 0) {
    own.relative.keys = relative.keys.column_range(first_key, e);
    own.relative.of_keys = relative.of_keys.column_range(first_key, e);
  }
  if (relative.queries.rows > 0) {
    own.relative.queries = relative.queries.column_range(first, e);
    own.relative.of_queries = relative.of_queries.column_range(first, e);
  }
  return own;
}

}  // namespace

void add_head_gradient(const HeadsDescription& heads, std::size_t key_head,
                       const TextAttention& text, const TextAttentionGradient& gradient) {
  HeadWorkspace& own = head_workspace();
  for (std::size_t k = key_head * heads.group; k < (key_head + 1) * heads.group; ++k) {
    const Head head = head_of(heads, k, text);
    const std::size_t n = head.key.rows;
    float* const packed = own.values.shape(1, Panels::floats(head.value.cols, n)).data;
    pack(head.value, packed);
    const HeadPanels panels{packed_keys(head, own.keys), {packed, head.value.cols, n}};
    const HeadGradient of_head = head_gradient(head, text, gradient);
    for (std::size_t block = 0; block < head.query.rows; block += kQueryBlock) {
      add_block_gradient(head, block, std::min(kQueryBlock, head.query.rows - block), panels,
                         of_head);
    }
  }
}

}  // namespace headlight
