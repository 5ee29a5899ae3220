#include "encoder/layer.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "encoder/attention.h"
#include "encoder/rotary.h"

namespace headlight {
namespace {

/// The input of a sublayer: x, or its norm for pre-norm and sandwich.
ConstMatrix sublayer_input(const LayerDescription& layer, const std::optional<LayerNorm>& norm,
                           Scratch& scratch, ConstMatrix x) {
  if (layer.norm_order == NormOrder::post || !norm) return x;
  const Matrix normed = scratch.normed.shape(x.rows, x.cols);
  layer_norm(*norm, x, normed);
  return normed;
}

/// Adds the residual and norm to y in scratch.hidden.next, which gives the next hidden vectors.
/// `weights` are those of the sublayer.
template <typename SublayerWeights>
Matrix finish_sublayer(const LayerDescription& layer, const SublayerWeights& weights,
                       Scratch& scratch, ConstMatrix x, Matrix y) {
  if (weights.output_norm) layer_norm(*weights.output_norm, y, y);
  if (layer.residual) add(x, y);
  if (layer.norm_order == NormOrder::post) layer_norm(*weights.norm, y, y);
  scratch.hidden.swap();
  return y;
}

/// x [n, d] → its `rows` [t, d], or x itself if there are none.
ConstMatrix select_rows(std::span<const std::size_t> rows, Buffer& memory, ConstMatrix x) {
  if (rows.empty()) return x;
  const Matrix selected = memory.shape(rows.size(), x.cols);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(x.row(rows[i]).data(), x.cols, selected.row(i).data());
  }
  return selected;
}

/// x [m, H] of the heads' queries or keys: norms each head.
void norm_heads(const std::optional<LayerNorm>& norm, Matrix x) {
  if (!norm) return;
  const std::size_t e = norm->gain.size();
  for (std::size_t first = 0; first < x.cols; first += e) {
    const Matrix head = x.column_range(first, e);
    layer_norm(*norm, head, head);
  }
}

/// Turns queries [n, H], or [t, H] with Pass::rows, and keys [n, H/g] by their positions.
void rotate_texts(const HeadsDescription& heads, const Pass& pass, Matrix query, Matrix key) {
  if (!heads.rotary) return;
  const Rotary& kind = pass.rotary[*heads.rotary];
  const Matrix& turns = pass.turns[*heads.rotary];
  const std::size_t e = heads.sizes.front();
  for (std::size_t text = 0; text < pass.batch.texts(); ++text) {
    const std::size_t start = pass.batch.starts()[text];
    const std::size_t count = pass.batch.length(text);
    rotate_heads(kind, turns, e, key.row_range(start, count));
    if (pass.rows.empty()) {
      rotate_heads(kind, turns, e, query.row_range(start, count));
    } else {
      rotate_heads(kind, turns.row_range(pass.rows[text] - start, 1), e, query.row_range(text, 1));
    }
  }
}

/// x [n, d] → MultiHead(x) [n, d], or [t, d] with Pass::rows.
Matrix attention(const HeadsDescription& heads, const AttentionWeights& weights, Pass& pass,
                 ConstMatrix x) {
  if (knows_context(pass)) {
    return attend_known(heads, weights.output, pass, pass.scratch.hidden.next);
  }
  Scratch& scratch = pass.scratch;
  const ConstMatrix queries = select_rows(pass.rows, scratch.selected_normed, x);
  const Matrix query = scratch.query.shape(queries.rows, heads.width());  // [m, H]
  const Matrix key = scratch.key.shape(x.rows, heads.key_width());        // [n, H/g]
  const Matrix value = scratch.value.shape(x.rows, heads.key_width());    // [n, H/g]
  const std::array<LinearOutput, 3> projections = {
      {{&weights.key, key}, {&weights.value, value}, {&weights.query, query}}};
  const bool all = pass.rows.empty();
  project(heads, std::span(projections).first(all ? 3 : 2), x);
  if (!all) project(heads, std::span(projections).last(1), queries);
  norm_heads(weights.query_norm, query);
  norm_heads(weights.key_norm, key);
  rotate_texts(heads, pass, query, key);
  KeyValueCache* cache = pass.cache == nullptr ? nullptr : &pass.cache->layers[pass.layer];
  const AttentionInput input{all ? Attending::tokens : Attending::one_token,
                             /*first_text=*/0,
                             pass.batch.texts(),
                             query,
                             key,
                             value,
                             cache};
  return attend_texts(heads, weights.output, input, pass, scratch.hidden.next);
}

/// act(x W1ᵀ + b1) W2ᵀ + b2, or with a gate (act(x Wgᵀ + bg) · (x W1ᵀ + b1)) W2ᵀ + b2;
/// x [n, d] → [n, d].
Matrix feed_forward(Activation activation, const FeedForwardWeights& weights, Scratch& scratch,
                    ConstMatrix x) {
  const Matrix up = scratch.up.shape(x.rows, weights.up.out());              // [n, f]
  const Matrix out = scratch.hidden.next.shape(x.rows, weights.down.out());  // [n, d]
  if (weights.gate) {
    const Matrix gate = scratch.gate.shape(x.rows, weights.gate->out());  // [n, f]
    const std::array<LinearOutput, 2> both = {
        {{&*weights.gate, gate, activation}, {&weights.up, up}}};
    apply_all(both, x);
    multiply_each(gate, up);
  } else {
    weights.up.apply(x, up, activation);
  }
  weights.down.apply(up, out);
  return out;
}

Matrix attention_sublayer(const LayerDescription& layer, const AttentionWeights& weights,
                          Pass& pass, Matrix x) {
  const ConstMatrix in = sublayer_input(layer, weights.norm, pass.scratch, x);
  const Matrix y = attention(layer.heads, weights, pass, in);
  const ConstMatrix residual = select_rows(pass.rows, pass.scratch.selected, x);
  return finish_sublayer(layer, weights, pass.scratch, residual, y);
}

Matrix feed_forward_sublayer(const LayerDescription& layer, const FeedForwardWeights& weights,
                             Pass& pass, Matrix x) {
  const ConstMatrix in = sublayer_input(layer, weights.norm, pass.scratch, x);
  const Matrix y = feed_forward(layer.activation, weights, pass.scratch, in);
  return finish_sublayer(layer, weights, pass.scratch, x, y);
}

/// The feed-forward sublayer with 0 in place of the feed-forward.
Matrix without_feed_forward(const LayerDescription& layer, const LayerWeights& weights, Pass& pass,
                            ConstMatrix x) {
  const Matrix y = pass.scratch.hidden.next.shape(x.rows, x.cols);
  for (std::size_t i = 0; i < y.rows; ++i) std::ranges::fill(y.row(i), 0.0F);
  const FeedForwardWeights& own = *weights.feed_forward;
  if (own.output_norm) layer_norm(*own.output_norm, y, y);
  if (layer.residual) add(x, y);
  if (layer.norm_order == NormOrder::post) layer_norm(*own.norm, y, y);
  pass.scratch.hidden.swap();
  return y;
}

}  // namespace

Matrix run_layer(const LayerDescription& layer, const LayerWeights& weights, Pass& pass, Matrix x) {
  x = attention_sublayer(layer, weights.attention, pass, x);
  if (lacks_feed_forward(pass)) return without_feed_forward(layer, weights, pass, x);
  if (weights.feed_forward) x = feed_forward_sublayer(layer, *weights.feed_forward, pass, x);
  return x;
}

}  // namespace headlight
