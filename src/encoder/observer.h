// What watches a forward pass, or takes part in it: a trace, a tape, an ablation, the cache of a
// stream. The encoder tells it each value by its name, so that a layer is its formula and one line
// for each value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "encoder/dot_product_attention.h"
#include "math/matrix.h"

namespace headlight {

struct Pass;

/// The values of a pass, in the order of work. m = n, or t with Pass::rows.
enum class Moment : std::uint8_t {
  // embedding.h, convolution.h
  embedding_projected,  // [n, e] the input of the projection
  embedding_unnormed,   // [n, e] or [n, d]
  embedded,             // [n, d] the input of the first layer
  convolution,          // [n, d] before its activation
  convolution_unnormed,

  // layer.h, in each layer
  attention_input,     // [n, d]
  attention_normed,    // [n, d] LN(input), or the input
  query_input,         // [m, d] the rows of it that have a query
  raw_query,           // [m, H] before norm and rotary positions
  raw_key,             // [n, H/g]
  query,               // [m, H]
  key,                 // [n, H/g]
  value,               // [n, H/g]
  context,             // [m, H] the outputs of the heads
  attention_output,    // [m, d] before the norm of NormOrder::sandwich
  attention_branch,    // [m, d] what is added to the input
  attention_sum,       // [m, d] before the norm of NormOrder::post
  feed_forward_input,  // [m, d]
  feed_forward_normed,
  gate,       // [m, f] before the activation
  up,         // [m, f] before the activation, if there is no gate
  activated,  // [m, f] what the last projection reads; not noted
  feed_forward_output,
  feed_forward_branch,
  feed_forward_sum,
  layer_output,  // [m, d]

  // forward.h, before the decoder
  source_unnormed,  // [n, d] the encoder's vectors before their norm
  source,           // [n, d] what the decoder's layers attend to
  target_embedded,  // [n, d] the input of the decoder's first layer

  // forward.h, head.h
  unnormed,       // [m, d] the input of the final norm
  encoded,        // [m, d]
  pooling_input,  // [n, d]
  pooled,         // [t, d], or [n, d] with Pooling::each_token
  dense_input,
  dense,  // before the activation
  dense_unnormed,
  classifier_input,  // [t, d] or [n, d]

  // head.h
  label_query,    // [c, H]
  label_key,      // [n, H]
  label_value,    // [n, H]
  label_context,  // [t · c, H]
  label_output,   // [t · c, d]
};
inline constexpr std::size_t kMoments = static_cast<std::size_t>(Moment::label_output) + 1;

/// Whether each layer has such a value.
constexpr bool is_of_layer(Moment moment) {
  return moment >= Moment::attention_input && moment <= Moment::layer_output;
}

/// The values of a sublayer.
struct SublayerMoments {
  Moment input, normed, output, branch, sum;
};
inline constexpr SublayerMoments kAttentionMoments = {
    Moment::attention_input, Moment::attention_normed, Moment::attention_output,
    Moment::attention_branch, Moment::attention_sum};
inline constexpr SublayerMoments kFeedForwardMoments = {
    Moment::feed_forward_input, Moment::feed_forward_normed, Moment::feed_forward_output,
    Moment::feed_forward_branch, Moment::feed_forward_sum};

/// Each function does nothing unless it is overridden. For one pass at a time.
class Observer {
 public:
  virtual ~Observer() = default;

  /// Whether layers compute all rows, also where pooling reads one of each text.
  virtual bool reads_all_rows() const { return false; }
  /// Whether each value stays as it is until the end of the pass, in memory(): nothing is
  /// overwritten, and an activation is not computed with the product before it.
  virtual bool keeps_values() const { return false; }
  /// The memory of the next value.
  virtual Buffer& memory(Buffer& usual) { return usual; }

  /// True: `value` is filled in, and the pass does not compute it. Asked for context,
  /// feed_forward_output, layer_output (filled with the layer's input) and pooled.
  virtual bool provides(const Pass& /*pass*/, Moment /*moment*/, Matrix /*value*/) { return false; }
  /// A value was computed, or will be before the pass returns.
  virtual void note(const Pass& /*pass*/, Moment /*moment*/, ConstMatrix /*value*/) {}
  /// May overwrite a value: embedded, target_embedded, context, activated, a branch or
  /// classifier_input.
  virtual void change(const Pass& /*pass*/, Moment /*moment*/, Matrix /*value*/) {}

  /// Texts are about to attend, for context or label_context. May set caches, dropout and memory
  /// for the weights.
  virtual void attend(const Pass& /*pass*/, Moment /*moment*/, std::span<TextAttention> /*texts*/) {
  }
};

}  // namespace headlight
