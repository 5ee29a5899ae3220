// The description of a model: sizes and choices without the weights (weights.h). Every family is
// translated into it, and the one forward pass reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "math/functions.h"
#include "text/encoding.h"

namespace headlight {

enum class PositionKind : std::uint8_t { none, sinusoidal, absolute };
enum class HeadInput : std::uint8_t { full, slice };
enum class AttentionMask : std::uint8_t { bidirectional, causal };
enum class NormOrder : std::uint8_t { none, post, pre };
enum class Pooling : std::uint8_t { cls, last, mean, max, label_attention };
enum class ProblemType : std::uint8_t { single_label, multi_label, regression };

/// The function that turns logits into scores: none, softmax over the labels, or sigmoid of each.
enum class ScoreActivation : std::uint8_t { none, softmax, sigmoid };

/// A multi-label model predicts the labels with at least this score, unless thresholds are given.
inline constexpr float kDefaultThreshold = 0.5F;

/// The h heads of an attention: their sizes, their input and the scale of their scores.
struct HeadsDescription {
  std::vector<std::size_t> sizes;  // e of each head
  HeadInput input = HeadInput::full;
  std::optional<float> scale;  // empty: 1/√e of each head
  AttentionMask mask = AttentionMask::bidirectional;
  bool bias = true;
  bool output_projection = true;

  std::size_t width() const {  // H
    return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  }
};

struct LayerDescription {
  std::size_t weights = 0;  // index in Weights::layers; layers can share weights
  HeadsDescription heads;
  std::size_t intermediate_size = 0;  // f; 0: no feed-forward sublayer
  Activation activation = Activation::relu;
  bool residual = true;
  NormOrder norm_order = NormOrder::post;
};

struct EmbeddingDescription {
  std::size_t size = 0;     // e: width of the tables; d without a projection
  bool projection = false;  // e → d, after the LayerNorm
  PositionKind positions = PositionKind::sinusoidal;
  std::size_t type_vocab_size = 0;  // T; 0: no segment embedding
  float scale = 1.0F;
  bool layer_norm = false;
  /// The position of this token is its id. All other tokens are counted from its id + 1 (RoBERTa).
  /// Empty: the position of a token is its index.
  std::optional<TokenId> skipped_pad;

  /// The position of the first token. Earlier rows of the position table are not used.
  std::size_t first_position() const {
    return skipped_pad ? std::size_t{*skipped_pad} + 1 : std::size_t{0};
  }
};

struct Description {
  std::size_t vocab_size = 0;     // V
  std::size_t hidden_size = 0;    // d
  std::size_t max_positions = 0;  // longest input in tokens, including special tokens
  EmbeddingDescription embedding;
  std::vector<LayerDescription> layers;
  std::size_t relative_buckets = 0;  // r: rows of the learned relative bias; 0: none
  bool final_norm = false;
  float layer_norm_eps = 1e-5F;
  LayerNormForm layer_norm_form = LayerNormForm::variance;

  Pooling pooling = Pooling::mean;
  HeadsDescription label_heads;          // for Pooling::label_attention
  std::optional<Activation> head_dense;  // empty: no dense layer before the classifier
  bool classifier_bias = true;
  std::vector<std::string> labels;  // c different names; empty: no classification head
  ProblemType problem_type = ProblemType::single_label;
  std::optional<ScoreActivation> score_activation;  // empty: that of the problem type

  TokenId pad_token_id = 0;
  std::optional<std::size_t> pad_to_length;  // every text is padded to exactly this many tokens

  std::size_t classes() const { return labels.size(); }
  /// Width of the encoded tokens: d, except for a single layer that ends with its concatenated
  /// heads.
  std::size_t encoded_size() const {
    const bool bare = layers.size() == 1 && !layers[0].heads.output_projection;
    return bare ? layers[0].heads.width() : hidden_size;
  }
};

}  // namespace headlight
