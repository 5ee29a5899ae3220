#include <array>
#include <span>

#include "encoder/feed_forward.h"
#include "gradient/steps.h"
#include "math/function_gradients.h"

namespace headlight {
namespace {

/// The backward pass of the norms and the residual around attention or the feed-forward
/// (encoder/layer.cpp). m rows of its output, n of its input.
template <typename SublayerWeights>
struct SublayerGradient {
  const BackwardPass& pass;
  std::size_t index;  // of the layer
  const LayerDescription& layer;
  const SublayerWeights& weights;
  const SublayerMoments& moments;
  const Values& values = pass.tape.layers[index];

  /// dy [m, d], the gradient of the sublayer's output → that of what f computed, [m, d]. dy becomes
  /// the gradient of the residual. `rows` are those of the batch.
  ConstMatrix output(std::span<const std::size_t> rows, Matrix dy) const {
    if (layer.norm_order == NormOrder::post) {
      norm_gradient(pass, *weights.norm, values[moments.sum], dy, dy);
    }
    const bool drops = pass.tape.dropout.hidden > 0.0F;
    if (!drops && !weights.output_norm) return dy;
    const Matrix dbranch = pass.memory.take_copy(dy);
    pass.tape.drop(moments.branch, index, {pass.batch, rows}, dbranch);
    if (weights.output_norm) {
      norm_gradient(pass, *weights.output_norm, values[moments.output], dbranch, dbranch);
    }
    return dbranch;
  }

  /// dx [n, d], the gradient of what f read, becomes that of the sublayer's input; dy [m, d] is
  /// that of the residual. `rows` are those of x; empty: all.
  void input(std::span<const std::size_t> rows, ConstMatrix dy, Matrix dx) const {
    const bool before =
        layer.norm_order == NormOrder::pre || layer.norm_order == NormOrder::sandwich;
    if (before && weights.norm) {
      norm_gradient(pass, *weights.norm, values[moments.input], dx, dx);
    }
    if (layer.residual) add_rows(rows, dy, dx);
  }
};

/// The gradients before the activation, from that of act(up), or of act(gate) · up, in dup [m, f].
void activated_gradient(const BackwardPass& pass, Activation activation, const RawFeedForward& raw,
                        ConstMatrix activated_gate, Matrix dgate, Matrix dup) {
  const bool gated = raw.gate.rows > 0;
  share_rows(dup.rows, [&](std::size_t first, std::size_t count) {
    const Matrix dup_rows = dup.row_range(first, count);
    const ConstMatrix up = raw.up.row_range(first, count);
    if (!gated) return activation_gradient(pass, activation, up, dup_rows);
    if (pass.rules == BackwardRules::relevance) scale(0.5F, dup_rows);
    const Matrix dgate_rows = dgate.row_range(first, count);
    copy_rows(dup_rows, dgate_rows);
    multiply_each(up, dgate_rows);
    activation_gradient(pass, activation, raw.gate.row_range(first, count), dgate_rows);
    multiply_each(activated_gate.row_range(first, count), dup_rows);
  });
}

/// dy [m, d], the gradient of the feed-forward → dx, that of its input [m, d].
void feed_forward_gradient(const BackwardPass& pass, std::size_t index,
                           const FeedForwardWeights& weights, ConstMatrix dy, Matrix dx) {
  const BackwardMemory::Frame frame(pass.memory);
  const Activation activation = pass.model.layers[index].activation;
  const Values& values = pass.tape.layers[index];
  const std::size_t f = weights.up.out();
  const ConstMatrix x = values[Moment::feed_forward_normed];
  const RawFeedForward raw{values[Moment::gate], values[Moment::up]};
  const Matrix activated = pass.memory.take(dy.rows, f);
  Buffer gate_memory;
  activate_raw(activation, raw, gate_memory, activated);
  const Matrix dup = pass.memory.take(dy.rows, f);
  linear_gradient(pass, weights.down, activated, dy, dup);
  add_products(pass, PartKind::neuron, index, activated, dup);
  const Matrix dgate = weights.gate ? pass.memory.take(dy.rows, f) : Matrix();
  const ConstMatrix activated_gate =
      weights.gate ? ConstMatrix(gate_memory.shape(dy.rows, f)) : ConstMatrix();
  activated_gradient(pass, activation, raw, activated_gate, dgate, dup);
  if (!weights.gate) return linear_gradient(pass, weights.up, x, dup, dx);
  add_linear_gradient(pass, weights.up, x, dup);
  add_linear_gradient(pass, *weights.gate, x, dgate);
  const std::array<LinearGradient, 2> both = {{{&*weights.gate, dgate}, {&weights.up, dup}}};
  input_gradient(both, dx);
}

}  // namespace

void layer_gradient(const BackwardPass& pass, std::size_t index, Matrix dy, Matrix dx) {
  const BackwardMemory::Frame frame(pass.memory);
  const LayerDescription& layer = pass.model.layers[index];
  const LayerWeights& weights = pass.weights.layers[layer.weights];
  const bool last = index + 1 == pass.model.layers.size();
  const std::span<const std::size_t> rows = last ? pass.tape.rows : std::span<const std::size_t>();
  Matrix dmiddle = dy;  // [m, d] of the output of attention
  if (weights.feed_forward) {
    const SublayerGradient<FeedForwardWeights> sublayer{pass, index, layer, *weights.feed_forward,
                                                        kFeedForwardMoments};
    const ConstMatrix df = sublayer.output(rows, dy);
    dmiddle = pass.memory.take(dy.rows, dy.cols);
    feed_forward_gradient(pass, index, *weights.feed_forward, df, dmiddle);
    sublayer.input({}, dy, dmiddle);  // its rows are those of its output
  }
  const SublayerGradient<AttentionWeights> sublayer{pass, index, layer, weights.attention,
                                                    kAttentionMoments};
  attention_gradient(pass, index, sublayer.output(rows, dmiddle), dx);
  sublayer.input(rows, dmiddle, dx);
}

}  // namespace headlight
