#include "encoder/layer.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace headlight {
namespace {

/// What a sublayer reads: x, or its norm where norms come first.
ConstMatrix sublayer_input(const LayerDescription& layer, const std::optional<LayerNorm>& norm,
                           Buffer& memory, ConstMatrix x) {
  if (layer.norm_order != NormOrder::pre) return x;
  const Matrix normed = memory.shape(x.rows, x.cols);
  layer_norm(*norm, x, normed);
  return normed;
}

/// y, which lies in scratch.sublayer, with the residual and the norm where the layer has them.
Matrix finish_sublayer(const LayerDescription& layer, const std::optional<LayerNorm>& norm,
                       Scratch& scratch, ConstMatrix x, Matrix y) {
  if (layer.residual) add(x, y);
  if (layer.norm_order == NormOrder::post) layer_norm(*norm, y, y);
  std::swap(scratch.hidden, scratch.sublayer);
  return y;
}

/// x [n, d] → those of its rows, or x itself where all are asked for.
ConstMatrix select_rows(std::span<const std::size_t> rows, Buffer& memory, ConstMatrix x) {
  if (rows.empty()) return x;
  const Matrix selected = memory.shape(rows.size(), x.cols);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(x.row(rows[i]).data(), x.cols, selected.row(i).data());
  }
  return selected;
}

void keep_rows(ConstMatrix rows, std::vector<float>& kept) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    kept.insert(kept.end(), rows.row(i).begin(), rows.row(i).end());
  }
}

/// Self-attention of each text, x [n, d] → [m, d], the queries being `queries` [m, d]: all of x, or
/// its `rows`.
Matrix attention_sublayer(const HeadsDescription& heads, const AttentionWeights& weights,
                          const LayerInput& input, std::span<const std::size_t> rows,
                          Scratch& scratch, Trace* trace, ConstMatrix x, ConstMatrix queries) {
  const Batch& batch = input.batch;
  const std::size_t width = heads.width();
  const Matrix query = scratch.query.shape(queries.rows, width);  // [m, H]
  const Matrix key = scratch.key.shape(x.rows, width);            // [n, H]
  const Matrix value = scratch.value.shape(x.rows, width);        // [n, H]
  const std::array<LinearOutput, 3> projections = {
      {{&weights.key, key}, {&weights.value, value}, {&weights.query, query}}};
  if (rows.empty()) {
    project(heads, projections, x);
  } else {
    project(heads, std::span(projections).first(2), x);
    project(heads, std::span(projections).last(1), queries);
  }
  if (input.cache != nullptr) input.cache->append(key, value);
  Buffer& destination = weights.output ? scratch.context : scratch.sublayer;
  const Matrix context = destination.shape(queries.rows, width);  // [m, H]
  scratch.attentions.clear();
  for (std::size_t text = 0; text < batch.texts(); ++text) {
    const std::size_t first = batch.starts()[text];
    const std::size_t count = batch.length(text);
    const std::size_t first_query = rows.empty() ? first : text;
    const std::size_t query_count = rows.empty() ? count : 1;
    TextAttention& attention = scratch.attentions.emplace_back();
    attention.query = query.row_range(first_query, query_count);
    attention.key = key.row_range(first, count);
    attention.value = value.row_range(first, count);
    attention.cache = input.cache;
    attention.first_position = batch.first_position() + (rows.empty() ? 0 : rows[text] - first);
    attention.relative_bias = input.relative_bias;
    if (trace != nullptr && trace->wants_attention) {
      attention.kept =
          trace->texts[text].attention.emplace_back(heads.sizes.size() * query_count * count);
    }
    if (trace != nullptr && trace->wants_values) {
      keep_rows(attention.value, trace->texts[text].values.emplace_back());
    }
    attention.out = context.row_range(first_query, query_count);
  }
  attend(heads, scratch.attentions);
  if (!weights.output) return context;
  const Matrix out = scratch.sublayer.shape(queries.rows, weights.output->out());  // [m, d]
  weights.output->apply(context, out);
  return out;
}

/// act(x W1ᵀ + b1) W2ᵀ + b2, x [n, d] → [n, d].
Matrix feed_forward_sublayer(Activation activation, const FeedForwardWeights& weights,
                             Scratch& scratch, ConstMatrix x) {
  const Matrix up = scratch.up.shape(x.rows, weights.up.out());           // [n, f]
  const Matrix out = scratch.sublayer.shape(x.rows, weights.down.out());  // [n, d]
  weights.up.apply(x, up, activation);
  weights.down.apply(up, out);
  return out;
}

}  // namespace

void project(const HeadsDescription& heads, std::span<const LinearOutput> projections,
             ConstMatrix x) {
  if (heads.input == HeadInput::full) return apply_all(projections, x);
  for (const auto& [linear, y] : projections) {
    std::size_t first = 0;
    for (const std::size_t e : heads.sizes) {
      // [e, e]: this head's rows
      linear->outputs(first, e).apply(x.column_range(first, e), y.column_range(first, e));
      first += e;
    }
  }
}

Matrix run_layer(const LayerDescription& layer, const LayerWeights& weights,
                 const LayerInput& input, std::span<const std::size_t> rows, Scratch& scratch,
                 Trace* trace, Matrix x) {
  const auto& norm = weights.attention.norm;
  const ConstMatrix in = sublayer_input(layer, norm, scratch.normed, x);
  const ConstMatrix queries = select_rows(rows, scratch.selected_normed, in);
  const Matrix attended =
      attention_sublayer(layer.heads, weights.attention, input, rows, scratch, trace, in, queries);
  x = finish_sublayer(layer, norm, scratch, select_rows(rows, scratch.selected, x), attended);
  if (!weights.feed_forward) return x;
  const auto& next_norm = weights.feed_forward->norm;
  const Matrix fed = feed_forward_sublayer(layer.activation, *weights.feed_forward, scratch,
                                           sublayer_input(layer, next_norm, scratch.normed, x));
  return finish_sublayer(layer, next_norm, scratch, x, fed);
}

}  // namespace headlight
