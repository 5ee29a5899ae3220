#include "gradient/layer_gradient.h"

#include <algorithm>
#include <array>
#include <span>

#include "encoder/layer.h"
#include "gradient/attention_gradient.h"
#include "math/function_gradients.h"

namespace headlight {
namespace {

/// A sublayer in the backward pass. m rows of its output, n of its input.
struct SublayerPart {
  const SublayerTape& notes;
  std::uint64_t place;                // where numbers of its output were dropped
  std::span<const std::size_t> rows;  // of the input, one for each of the output; empty: all
};

/// dy [m, d], the gradient of the sublayer's end → that of what it computed, [m, d]. dy becomes the
/// gradient of the residual.
template <typename SublayerWeights>
ConstMatrix end_gradient(const BackwardPass& pass, const LayerDescription& layer,
                         const SublayerWeights& weights, const SublayerPart& part, Matrix dy) {
  if (layer.norm_order == NormOrder::post) {
    norm_gradient(pass, *weights.norm, part.notes.sum, dy, dy);
  }
  const bool drops = pass.tape.dropout.hidden > 0.0F;
  if (!drops && !weights.output_norm) return dy;
  const Matrix own = pass.memory.take_copy(dy);
  drop_rows(pass.tape.dropout, part.place, {pass.batch, part.rows}, own);
  if (weights.output_norm) norm_gradient(pass, *weights.output_norm, part.notes.out, own, own);
  return own;
}

/// din [n, d], the gradient of what the sublayer read, becomes that of its input x; dy [m, d] is
/// that of the residual.
template <typename SublayerWeights>
void begin_gradient(const BackwardPass& pass, const LayerDescription& layer,
                    const SublayerWeights& weights, const SublayerPart& part, ConstMatrix dy,
                    Matrix din) {
  const bool before = layer.norm_order == NormOrder::pre || layer.norm_order == NormOrder::sandwich;
  if (before && weights.norm) norm_gradient(pass, *weights.norm, part.notes.x, din, din);
  if (layer.residual) add_rows(part.rows, dy, din);
}

/// The gradients before the activation, from that of act(up), or of act(gate) · up, in dup [m, f].
void activated_gradient(Activation activation, const LayerTape& notes, ConstMatrix activated_gate,
                        Matrix dgate, Matrix dup) {
  const bool gated = notes.gate.rows > 0;
  share_rows(dup.rows, [&](std::size_t first, std::size_t count) {
    const Matrix own = dup.row_range(first, count);
    const ConstMatrix up = notes.up.row_range(first, count);
    if (!gated) return activation_gradient(activation, up, own);
    const Matrix own_gate = dgate.row_range(first, count);
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(own.row(i).data(), own.cols, own_gate.row(i).data());
    }
    multiply_each(up, own_gate);
    activation_gradient(activation, notes.gate.row_range(first, count), own_gate);
    multiply_each(activated_gate.row_range(first, count), own);
  });
}

/// dy [m, d], the gradient of the feed-forward → din, that of its input [m, d].
void feed_forward_gradient(const BackwardPass& pass, Activation activation,
                           const FeedForwardWeights& weights, const LayerTape& notes,
                           ConstMatrix dy, Matrix din) {
  const BackwardMemory::Frame frame(pass.memory);
  const std::size_t f = weights.up.out();
  const ConstMatrix in = notes.feed_forward_sublayer.in;
  const Matrix activated = pass.memory.take(dy.rows, f);
  Buffer gate_memory;
  activate_raw(activation, notes, gate_memory, activated);
  const Matrix dup = pass.memory.take(dy.rows, f);
  linear_gradient(pass, weights.down, activated, dy, dup);
  const Matrix dgate = weights.gate ? pass.memory.take(dy.rows, f) : Matrix();
  const ConstMatrix activated_gate =
      weights.gate ? ConstMatrix(gate_memory.shape(dy.rows, f)) : ConstMatrix();
  activated_gradient(activation, notes, activated_gate, dgate, dup);
  if (!weights.gate) return linear_gradient(pass, weights.up, in, dup, din);
  add_linear_gradient(pass, weights.up, in, dup);
  add_linear_gradient(pass, *weights.gate, in, dgate);
  const std::array<LinearGradient, 2> both = {{{&*weights.gate, dgate}, {&weights.up, dup}}};
  input_gradient(both, din);
}

}  // namespace

void layer_gradient(const BackwardPass& pass, std::size_t index, Matrix dy, Matrix dx) {
  const BackwardMemory::Frame frame(pass.memory);
  const LayerDescription& layer = pass.model.layers[index];
  const LayerWeights& weights = pass.weights.layers[layer.weights];
  const LayerTape& notes = pass.tape.layers[index];
  const bool last = index + 1 == pass.model.layers.size();
  const std::span<const std::size_t> rows = last ? pass.tape.rows : std::span<const std::size_t>();
  Matrix dmiddle = dy;  // [m, d] of the output of attention
  if (weights.feed_forward) {
    // Its rows are those of the output, so dropout alone needs to know them.
    const SublayerPart part{notes.feed_forward_sublayer, DropoutPlace::feed_forward(index), rows};
    const ConstMatrix own = end_gradient(pass, layer, *weights.feed_forward, part, dy);
    dmiddle = pass.memory.take(dy.rows, dy.cols);
    feed_forward_gradient(pass, layer.activation, *weights.feed_forward, notes, own, dmiddle);
    const SublayerPart all{notes.feed_forward_sublayer, part.place, {}};
    begin_gradient(pass, layer, *weights.feed_forward, all, dy, dmiddle);
  }
  const SublayerPart part{notes.attention_sublayer, DropoutPlace::attention(index), rows};
  const ConstMatrix own = end_gradient(pass, layer, weights.attention, part, dmiddle);
  attention_gradient(pass, index, own, dx);
  begin_gradient(pass, layer, weights.attention, part, dmiddle, dx);
}

}  // namespace headlight
