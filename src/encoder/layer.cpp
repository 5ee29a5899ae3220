#include "encoder/layer.h"

#include <utility>

#include "encoder/attention.h"

namespace headlight {
namespace {

/// y = f(x), with the residual and the norm where the layer has them.
template <typename Function>
Matrix run_sublayer(const LayerDescription& layer, const std::optional<LayerNorm>& norm,
                    Scratch& scratch, Matrix x, Function f) {
  ConstMatrix in = x;
  if (layer.norm_order == NormOrder::pre) {
    const Matrix normed = scratch.normed.shape(x.rows, x.cols);
    layer_norm(*norm, x, normed);
    in = normed;
  }
  const Matrix y = f(in);
  if (layer.residual) add(x, y);
  if (layer.norm_order == NormOrder::post) layer_norm(*norm, y, y);
  std::swap(scratch.hidden, scratch.sublayer);
  return y;
}

/// Self-attention of each text, x [n, d] → [n, d].
Matrix attention_sublayer(const HeadsDescription& heads, const AttentionWeights& weights,
                          const LayerInput& input, Scratch& scratch, Trace* trace, ConstMatrix x) {
  const Batch& batch = input.batch;
  const std::size_t width = heads.width();
  const Matrix query = scratch.query.shape(x.rows, width);  // [n, H]
  const Matrix key = scratch.key.shape(x.rows, width);      // [n, H]
  const Matrix value = scratch.value.shape(x.rows, width);  // [n, H]
  project(heads, weights.query, batch.starts(), x, query);
  project(heads, weights.key, batch.starts(), x, key);
  project(heads, weights.value, batch.starts(), x, value);

  Buffer& destination = weights.output ? scratch.context : scratch.sublayer;
  const Matrix context = destination.shape(x.rows, width);  // [n, H]
  for (std::size_t text = 0; text < batch.texts(); ++text) {
    const std::size_t first = batch.starts()[text];
    const std::size_t count = batch.length(text);
    const AttentionRows rows{query.row_range(first, count), key.row_range(first, count),
                             value.row_range(first, count), 0, input.relative_bias};
    std::span<float> kept;
    if (trace != nullptr && trace->wants_attention) {
      kept = trace->texts[text].attention.emplace_back(heads.sizes.size() * count * count);
    }
    attend(heads, rows, scratch, kept, context.row_range(first, count));
  }
  if (!weights.output) return context;
  const Matrix out = scratch.sublayer.shape(x.rows, weights.output->out());  // [n, d]
  weights.output->apply(batch.starts(), context, out);
  return out;
}

/// act(x W1ᵀ + b1) W2ᵀ + b2, x [n, d] → [n, d].
Matrix feed_forward_sublayer(Activation activation, const FeedForwardWeights& weights,
                             const Batch& batch, Scratch& scratch, ConstMatrix x) {
  const Matrix up = scratch.up.shape(x.rows, weights.up.out());           // [n, f]
  const Matrix out = scratch.sublayer.shape(x.rows, weights.down.out());  // [n, d]
  weights.up.apply(batch.starts(), x, up, activation);
  weights.down.apply(batch.starts(), up, out);
  return out;
}

}  // namespace

void project(const HeadsDescription& heads, const Linear& linear, RowStarts starts, ConstMatrix x,
             Matrix y) {
  if (heads.input == HeadInput::full) return linear.apply(starts, x, y);
  std::size_t first = 0;
  for (const std::size_t e : heads.sizes) {
    Linear own{linear.weight.row_range(first, e), {}};  // [e, e]: this head's rows
    if (!linear.bias.empty()) own.bias = linear.bias.subspan(first, e);
    own.apply(starts, x.column_range(first, e), y.column_range(first, e));
    first += e;
  }
}

Matrix run_layer(const LayerDescription& layer, const LayerWeights& weights,
                 const LayerInput& input, Scratch& scratch, Trace* trace, Matrix x) {
  x = run_sublayer(layer, weights.attention.norm, scratch, x, [&](ConstMatrix in) {
    return attention_sublayer(layer.heads, weights.attention, input, scratch, trace, in);
  });
  if (!weights.feed_forward) return x;
  return run_sublayer(layer, weights.feed_forward->norm, scratch, x, [&](ConstMatrix in) {
    return feed_forward_sublayer(layer.activation, *weights.feed_forward, input.batch, scratch, in);
  });
}

}  // namespace headlight
