#include "encoder/layer.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "base/parallel.h"
#include "encoder/attention.h"
#include "encoder/rotary.h"

namespace headlight {
namespace {

/// The input of a sublayer: x, or its norm for pre-norm and sandwich.
ConstMatrix sublayer_input(const LayerDescription& layer, const std::optional<LayerNorm>& norm,
                           Pass& pass, ConstMatrix x) {
  if (layer.norm_order == NormOrder::post || !norm) return x;
  const Matrix normed = pass.memory(pass.scratch.normed).shape(x.rows, x.cols);
  layer_norm(*norm, x, normed);
  return normed;
}

/// y in scratch.hidden.next, which the sublayer computed, and x [m, d], its residual.
struct SublayerEnd {
  ConstMatrix x;
  Matrix y;
  std::uint64_t place;  // where numbers of y are dropped
  SublayerTape& notes;
};

/// Adds the residual and norm to y, which gives the next hidden vectors. `weights` are those of the
/// sublayer.
template <typename SublayerWeights>
Matrix finish_sublayer(const LayerDescription& layer, const SublayerWeights& weights, Pass& pass,
                       const SublayerEnd& end) {
  Matrix y = end.y;
  if (weights.output_norm) {
    end.notes.out = y;
    y = pass.result_of(y);
    layer_norm(*weights.output_norm, end.notes.out, y);
  }
  pass.drop(end.place, y);
  if (layer.residual) add(end.x, y);
  if (layer.norm_order == NormOrder::post) {
    end.notes.sum = y;
    y = pass.result_of(y);
    layer_norm(*weights.norm, end.notes.sum, y);
  }
  pass.scratch.hidden.swap();
  return y;
}

/// x [n, d] → Pass::rows of it [t, d], or x itself if there are none.
ConstMatrix select_rows(Pass& pass, Buffer& memory, ConstMatrix x) {
  const std::span<const std::size_t> rows = pass.rows;
  if (rows.empty()) return x;
  const Matrix selected = pass.memory(memory).shape(rows.size(), x.cols);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(x.row(rows[i]).data(), x.cols, selected.row(i).data());
  }
  return selected;
}

/// x [m, H] of the heads' queries or keys: norms each head.
Matrix norm_heads(const std::optional<LayerNorm>& norm, Pass& pass, Matrix x) {
  if (!norm) return x;
  const Matrix normed = pass.result_of(x);
  const std::size_t e = norm->gain.size();
  for (std::size_t first = 0; first < x.cols; first += e) {
    layer_norm(*norm, x.column_range(first, e), normed.column_range(first, e));
  }
  return normed;
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
  AttentionTape& notes = pass.layer_notes().attention;
  const ConstMatrix queries = select_rows(pass, scratch.selected_normed, x);
  Matrix query = pass.memory(scratch.query).shape(queries.rows, heads.width());      // [m, H]
  Matrix key = pass.memory(scratch.key).shape(x.rows, heads.key_width());            // [n, H/g]
  const Matrix value = pass.memory(scratch.value).shape(x.rows, heads.key_width());  // [n, H/g]
  const std::array<LinearOutput, 3> projections = {
      {{&weights.key, key}, {&weights.value, value}, {&weights.query, query}}};
  const bool all = pass.rows.empty();
  project(heads, std::span(projections).first(all ? 3 : 2), x);
  if (!all) project(heads, std::span(projections).last(1), queries);
  notes.queries_in = queries;
  notes.raw_query = query;
  notes.raw_key = key;
  query = norm_heads(weights.query_norm, pass, query);
  key = norm_heads(weights.key_norm, pass, key);
  rotate_texts(heads, pass, query, key);
  KeyValueCache* cache = pass.cache == nullptr ? nullptr : &pass.cache->layers[pass.layer];
  const AttentionInput input{all ? Attending::tokens : Attending::one_token,
                             /*first_text=*/0,
                             pass.batch.texts(),
                             query,
                             key,
                             value,
                             cache};
  notes.query = query;
  notes.key = key;
  notes.value = value;
  return attend_texts(heads, weights.output, input, pass, pass.memory(scratch.hidden.next));
}

// Rows that are activated together.
constexpr std::size_t kActivatedRows = 32;

/// to ← from
void copy_rows(ConstMatrix from, Matrix to) {
  for (std::size_t i = 0; i < from.rows; ++i) {
    std::copy_n(from.row(i).data(), from.cols, to.row(i).data());
  }
}

/// Notes x W1ᵀ + b1 and, with a gate, x Wgᵀ + bg.
void raw_feed_forward(const FeedForwardWeights& weights, Pass& pass, ConstMatrix x) {
  LayerTape& notes = pass.layer_notes();
  const Matrix up = pass.tape->fresh().shape(x.rows, weights.up.out());
  notes.up = up;
  if (!weights.gate) return weights.up.apply(x, up);
  const Matrix gate = pass.tape->fresh().shape(x.rows, weights.gate->out());
  notes.gate = gate;
  const std::array<LinearOutput, 2> both = {{{&*weights.gate, gate}, {&weights.up, up}}};
  apply_all(both, x);
}

/// act(x W1ᵀ + b1) W2ᵀ + b2, or with a gate (act(x Wgᵀ + bg) · (x W1ᵀ + b1)) W2ᵀ + b2;
/// x [n, d] → [n, d].
Matrix feed_forward(Activation activation, const FeedForwardWeights& weights, Pass& pass,
                    ConstMatrix x) {
  Scratch& scratch = pass.scratch;
  const Matrix up = scratch.up.shape(x.rows, weights.up.out());                           // [n, f]
  const Matrix out = pass.memory(scratch.hidden.next).shape(x.rows, weights.down.out());  // [n, d]
  if (pass.tape != nullptr) {
    raw_feed_forward(weights, pass, x);
    activate_raw(activation, pass.layer_notes(), scratch.gate, up);
  } else if (weights.gate) {
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
  SublayerTape& notes = pass.layer_notes().attention_sublayer;
  notes.x = x;
  notes.in = sublayer_input(layer, weights.norm, pass, x);
  const Matrix y = attention(layer.heads, weights, pass, notes.in);
  const ConstMatrix residual = select_rows(pass, pass.scratch.selected, x);
  return finish_sublayer(layer, weights, pass,
                         {residual, y, DropoutPlace::attention(pass.layer), notes});
}

Matrix feed_forward_sublayer(const LayerDescription& layer, const FeedForwardWeights& weights,
                             Pass& pass, Matrix x) {
  SublayerTape& notes = pass.layer_notes().feed_forward_sublayer;
  notes.x = x;
  notes.in = sublayer_input(layer, weights.norm, pass, x);
  const Matrix y = feed_forward(layer.activation, weights, pass, notes.in);
  return finish_sublayer(layer, weights, pass,
                         {x, y, DropoutPlace::feed_forward(pass.layer), notes});
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

void activate_raw(Activation activation, const LayerTape& notes, Buffer& gate, Matrix up) {
  const bool gated = notes.gate.rows > 0;
  const Matrix activated = gated ? gate.shape(up.rows, up.cols) : up;
  const std::size_t parts = (up.rows + kActivatedRows - 1) / kActivatedRows;
  share_work(parts, [&](std::size_t part) {
    const std::size_t first = part * kActivatedRows;
    const std::size_t count = std::min(kActivatedRows, up.rows - first);
    const Matrix own = activated.row_range(first, count);
    copy_rows((gated ? notes.gate : notes.up).row_range(first, count), own);
    activate(activation, own);
    if (!gated) return;
    copy_rows(notes.up.row_range(first, count), up.row_range(first, count));
    multiply_each(own, up.row_range(first, count));
  });
}

Matrix run_layer(const LayerDescription& layer, const LayerWeights& weights, Pass& pass, Matrix x) {
  x = attention_sublayer(layer, weights.attention, pass, x);
  if (lacks_feed_forward(pass)) return without_feed_forward(layer, weights, pass, x);
  if (weights.feed_forward) x = feed_forward_sublayer(layer, *weights.feed_forward, pass, x);
  return x;
}

}  // namespace headlight
