#include "encoder/layer.h"

#include "encoder/attention.h"
#include "encoder/feed_forward.h"

namespace headlight {
namespace {

/// The norms and the residual around a function f of x [n, d], attention or the feed-forward:
///
///   post      LN(x + f(x))
///   pre       x + f(LN(x))
///   sandwich  x + LN(f(LN(x)))
template <typename SublayerWeights>
struct Sublayer {
  const LayerDescription& layer;
  const SublayerWeights& weights;
  const SublayerMoments& moments;
  Pass& pass;

  /// What f reads.
  ConstMatrix input(ConstMatrix x) const {
    pass.note(moments.input, x);
    if (layer.norm_order != NormOrder::post && weights.norm) {
      const Matrix normed = pass.matrix(pass.scratch.normed, x.rows, x.cols);
      layer_norm(*weights.norm, x, normed);
      x = normed;
    }
    pass.note(moments.normed, x);
    return x;
  }

  /// y = f(…) in scratch.hidden.next, which becomes the current one.
  Matrix output(ConstMatrix x, Matrix y) const {
    if (weights.output_norm) y = pass.normed(*weights.output_norm, moments.output, y);
    pass.change(moments.branch, y);
    if (layer.residual) add(x, y);
    if (layer.norm_order == NormOrder::post) y = pass.normed(*weights.norm, moments.sum, y);
    pass.scratch.hidden.swap();
    return y;
  }
};

}  // namespace

Matrix run_layer(const LayerDescription& layer, const LayerWeights& weights, Pass& pass, Matrix x) {
  const Sublayer<AttentionWeights> attention{layer, weights.attention, kAttentionMoments, pass};
  ConstMatrix in = attention.input(x);                                        // [n, d]
  Matrix y = multi_head_attention(layer.heads, weights.attention, pass, in);  // [m, d]
  x = attention.output(pass.selected(pass.scratch.selected, x), y);           // [m, d]
  if (!weights.feed_forward) return x;

  const Sublayer<FeedForwardWeights> sublayer{layer, *weights.feed_forward, kFeedForwardMoments,
                                              pass};
  in = sublayer.input(x);                                               // [m, d]
  y = feed_forward(layer.activation, *weights.feed_forward, pass, in);  // [m, d]
  return sublayer.output(x, y);                                         // [m, d]
}

}  // namespace headlight
