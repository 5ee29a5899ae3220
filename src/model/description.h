// What a model is: the one description that every family is translated into and that one forward
// pass reads. Sizes and choices only; the numbers are in weights.h.
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

/// What is done to logits: softmax over the labels, sigmoid of each, or nothing.
enum class ScoreActivation : std::uint8_t { none, softmax, sigmoid };

/// From which score on a multi-label model gives a label, where nobody says otherwise.
inline constexpr float kDefaultThreshold = 0.5F;

/// h heads side by side: their sizes, what each sees and how its scores are scaled.
struct HeadsDescription {
  std::vector<std::size_t> sizes;  // e of each head
  HeadInput input = HeadInput::full;
  std::optional<float> scale;  // nothing: 1/√e of each head
  AttentionMask mask = AttentionMask::bidirectional;
  bool bias = true;
  bool output_projection = true;

  std::size_t width() const {  // H
    return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  }
};

struct LayerDescription {
  std::size_t weights = 0;  // which of Weights::layers it runs with; several may run with one
  HeadsDescription heads;
  std::size_t intermediate_size = 0;  // f; 0: no feed-forward sublayer
  Activation activation = Activation::relu;
  bool residual = true;
  NormOrder norm_order = NormOrder::post;
};

struct EmbeddingDescription {
  std::size_t size = 0;     // e: width of the tables; d where there is no projection
  bool projection = false;  // e → d, after the LayerNorm
  PositionKind positions = PositionKind::sinusoidal;
  std::size_t type_vocab_size = 0;  // T; 0: no segment embedding
  float scale = 1.0F;
  bool layer_norm = false;
  /// Positions count the tokens that are not this one, from its id + 1 on, and it has its id for a
  /// position (RoBERTa). Nothing: the position is the index.
  std::optional<TokenId> skipped_pad;

  /// Of the first token: rows of the position table before it are not used.
  std::size_t first_position() const {
    return skipped_pad ? std::size_t{*skipped_pad} + 1 : std::size_t{0};
  }
};

struct Description {
  std::size_t vocab_size = 0;     // V
  std::size_t hidden_size = 0;    // d
  std::size_t max_positions = 0;  // longest input in tokens, special ones included
  EmbeddingDescription embedding;
  std::vector<LayerDescription> layers;
  std::size_t relative_buckets = 0;  // r: rows of the learned relative bias; 0: none
  bool final_norm = false;
  float layer_norm_eps = 1e-5F;
  LayerNormForm layer_norm_form = LayerNormForm::variance;

  Pooling pooling = Pooling::mean;
  HeadsDescription label_heads;          // with Pooling::label_attention
  std::optional<Activation> head_dense;  // nothing: no dense before the classifier
  bool classifier_bias = true;
  std::vector<std::string> labels;  // c names, all different; none: no classification head
  ProblemType problem_type = ProblemType::single_label;
  std::optional<ScoreActivation> score_activation;  // nothing: the problem type's

  TokenId pad_token_id = 0;
  std::optional<std::size_t> pad_to_length;  // every text has exactly so many tokens

  std::size_t classes() const { return labels.size(); }
  /// Width of the encoded tokens: d, but for a lone layer that ends in its concatenated heads.
  std::size_t encoded_size() const {
    const bool bare = layers.size() == 1 && !layers[0].heads.output_projection;
    return bare ? layers[0].heads.width() : hidden_size;
  }
};

}  // namespace headlight
