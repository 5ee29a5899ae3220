#include "encoder/feed_forward.h"

#include <algorithm>
#include <array>

#include "base/parallel.h"

namespace headlight {
namespace {

// Rows that are activated together.
constexpr std::size_t kActivatedRows = 32;

/// x [n, d] → [n, f]
Matrix hidden_layer(Activation activation, const FeedForwardWeights& weights, Pass& pass,
                    ConstMatrix x) {
  Scratch& scratch = pass.scratch;
  const Activation fused = pass.fused(activation);
  const Matrix up = pass.matrix(scratch.up, x.rows, weights.up.out());
  Matrix gate;
  if (weights.gate) {
    gate = pass.matrix(scratch.gate, x.rows, weights.gate->out());
    const std::array<LinearOutput, 2> both = {{{&*weights.gate, gate, fused}, {&weights.up, up}}};
    apply_all(both, x);
  } else {
    weights.up.apply(x, up, fused);
  }
  pass.note(Moment::gate, gate);
  pass.note(Moment::up, up);
  if (pass.keeps_values()) {
    const Matrix hidden = scratch.up.shape(up.rows, up.cols);
    activate_raw(activation, {gate, up}, scratch.gate, hidden);
    return hidden;
  }
  if (weights.gate) multiply_each(gate, up);
  return up;
}

}  // namespace

Matrix feed_forward(Activation activation, const FeedForwardWeights& weights, Pass& pass,
                    ConstMatrix x) {
  const Matrix out = pass.matrix(pass.scratch.hidden.next, x.rows, weights.down.out());  // [n, d]
  if (pass.provides(Moment::feed_forward_output, out)) return out;
  activation = activation_for(weights.down, activation);
  const Matrix hidden = hidden_layer(activation, weights, pass, x);  // [n, f]
  pass.change(Moment::activated, hidden);
  weights.down.apply(hidden, out);
  return out;
}

void activate_raw(Activation activation, const RawFeedForward& raw, Buffer& gate, Matrix hidden) {
  const bool gated = raw.gate.rows > 0;
  const Matrix activated = gated ? gate.shape(hidden.rows, hidden.cols) : hidden;
  const std::size_t blocks = (hidden.rows + kActivatedRows - 1) / kActivatedRows;
  share_work(blocks, [&](std::size_t block) {
    const std::size_t first = block * kActivatedRows;
    const std::size_t count = std::min(kActivatedRows, hidden.rows - first);
    const Matrix rows = activated.row_range(first, count);
    copy_rows((gated ? raw.gate : raw.up).row_range(first, count), rows);
    activate(activation, rows);
    if (!gated) return;
    copy_rows(raw.up.row_range(first, count), hidden.row_range(first, count));
    multiply_each(rows, hidden.row_range(first, count));
  });
}

}  // namespace headlight
