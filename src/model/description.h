// The description of a model: sizes and choices without the weights (weights.h). Every family is
// translated into it, and the one forward pass reads it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "base/words.h"
#include "math/functions.h"
#include "math/positions.h"
#include "text/encoding.h"

namespace headlight {

/// Rotary positions add nothing to the embedding: they turn queries and keys, see Rotary.
enum class PositionKind : std::uint8_t { none, sinusoidal, absolute, rotary };
inline constexpr std::array<Word<PositionKind>, 4> kPositionWords = {{
    {"sinusoidal", PositionKind::sinusoidal},
    {"absolute", PositionKind::absolute},
    {"rotary", PositionKind::rotary},
    {"none", PositionKind::none},
}};

enum class HeadInput : std::uint8_t { full, slice };
inline constexpr std::array<Word<HeadInput>, 2> kHeadInputWords = {{
    {"full", HeadInput::full},
    {"slice", HeadInput::slice},
}};

enum class AttentionMask : std::uint8_t { bidirectional, causal };
inline constexpr std::array<Word<AttentionMask>, 2> kMaskWords = {{
    {"bidirectional", AttentionMask::bidirectional},
    {"causal", AttentionMask::causal},
}};

/// post: LN(x + f(x)); pre: x + f(LN(x)); sandwich: x + LN(f(LN(x))).
enum class NormOrder : std::uint8_t { none, post, pre, sandwich };
inline constexpr std::array<Word<NormOrder>, 4> kNormOrderWords = {{
    {"post", NormOrder::post},
    {"pre", NormOrder::pre},
    {"sandwich", NormOrder::sandwich},
    {"none", NormOrder::none},
}};

/// each_token: no pooling; the head gives logits for each token (named entities, parts of speech).
enum class Pooling : std::uint8_t { cls, last, mean, max, label_attention, each_token };
inline constexpr std::array<Word<Pooling>, 6> kPoolingWords = {{
    {"cls", Pooling::cls},
    {"last", Pooling::last},
    {"mean", Pooling::mean},
    {"max", Pooling::max},
    {"label_attention", Pooling::label_attention},
    {"none", Pooling::each_token},
}};

enum class ProblemType : std::uint8_t { single_label, multi_label, regression };
inline constexpr std::array<Word<ProblemType>, 3> kProblemTypeWords = {{
    {"single_label_classification", ProblemType::single_label},
    {"multi_label_classification", ProblemType::multi_label},
    {"regression", ProblemType::regression},
}};

/// The function that turns logits into scores: none, softmax over the labels, sigmoid of each, or
/// sigmoids divided by their sum.
enum class ScoreActivation : std::uint8_t { none, softmax, sigmoid, sigmoid_share };
inline constexpr std::array<Word<ScoreActivation>, 4> kScoreActivationWords = {{
    {"softmax", ScoreActivation::softmax},
    {"sigmoid", ScoreActivation::sigmoid},
    {"sigmoid_share", ScoreActivation::sigmoid_share},
    {"none", ScoreActivation::none},
}};

/// Whether texts with too many tokens are read in overlapping windows, or cut: the field `long`.
inline constexpr std::array<Word<bool>, 2> kReadsWindowsWords = {
    {{"truncate", false}, {"window", true}}};

/// A multi-label model predicts the labels with at least this score, unless thresholds are given.
inline constexpr float kDefaultThreshold = 0.5F;

/// Rotary positions (Su et al. 2021, "RoFormer", §3.2.2): pair k of a query or key at position p is
/// turned by the angle p · frequencies[k]. Numbers of a head after the pairs stay as they are.
struct Rotary {
  std::vector<float> frequencies;  // radians per position, at most e/2
  /// Pair k is (2k, 2k + 1); else (k, k + number of pairs).
  bool interleaved = false;

  bool operator==(const Rotary&) const = default;
};

/// The h heads of an attention: their sizes, their input and the scale of their scores.
struct HeadsDescription {
  std::vector<std::size_t> sizes;  // e of each head
  /// g: consecutive query heads that read the same keys and values (Ainslie et al. 2023, "GQA"). It
  /// divides h; heads are of equal size if it is more than 1.
  std::size_t group = 1;
  HeadInput input = HeadInput::full;
  std::optional<float> scale;  // empty: 1/√(e · score_terms) of each head
  AttentionMask mask = AttentionMask::bidirectional;
  /// A query attends to keys at most this many positions away; empty: to all that the mask allows.
  std::optional<std::size_t> window;
  std::optional<std::size_t> rotary;  // index in Description::rotary; empty: none
  bool query_key_norm = false;        // each head's queries and keys are normed before rotary
  bool bias = true;                   // of query, key and value
  bool output_bias = true;
  bool output_projection = true;
  /// Products in a score: that of query and key, and those with relative embeddings.
  std::size_t score_terms = 1;
  std::optional<std::size_t> relative_bias;  // index in Description::relative_biases; empty: none

  std::size_t width() const {  // H
    return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  }
  std::size_t key_heads() const { return sizes.size() / group; }  // h / g
  std::size_t key_width() const { return width() / group; }       // H / g

  bool operator==(const HeadsDescription&) const = default;
};

/// A learned number for each head and bucket of distances is added to scores.
struct RelativeBias {
  std::size_t rows = 0;  // r of its table, at least the number of buckets
  DistanceBuckets buckets = {};

  bool operator==(const RelativeBias&) const = default;
};

/// Relative scores (He et al. 2021, "DeBERTa: Decoding-enhanced BERT with Disentangled Attention",
/// §3.1). There are 2s relative embeddings, the same in all layers. The score of a query at i and a
/// key at j reads number s + i - j, or the nearest one that exists.
struct RelativeAttention {
  bool content_to_position = false;  // adds query · (projected embedding as a key)
  bool position_to_content = false;  // adds key · (projected embedding as a query)
  std::size_t span = 0;              // s
  /// Distances beyond s/2 share embeddings, logarithmically, so that this distance is the first
  /// that reads the last embedding. Empty: each distance has its own.
  std::optional<std::size_t> farthest;
  bool norm = false;    // the embeddings are normed
  bool shared = false;  // embeddings are projected with the layer's own projections

  bool operator==(const RelativeAttention&) const = default;
};

/// After the first layer: x ← LN(x + act(conv(x₀))), where x₀ is the input of the first layer.
struct ConvolutionDescription {
  std::size_t kernel = 3;  // k: tokens that a result reads, odd; outside of a text they are 0
  std::size_t groups = 1;  // a column reads only those of its group
  Activation activation = Activation::tanh;

  bool operator==(const ConvolutionDescription&) const = default;
};

struct LayerDescription {
  std::size_t weights = 0;  // index in Weights::layers; layers can share weights
  HeadsDescription heads;
  std::size_t intermediate_size = 0;  // f; 0: no feed-forward sublayer
  Activation activation = Activation::relu;
  /// down(act(gate(x)) · up(x)) (Shazeer 2020, "GLU Variants Improve Transformer"); else
  /// down(act(up(x))).
  bool gated = false;
  bool feed_forward_bias = true;
  bool residual = true;
  NormOrder norm_order = NormOrder::post;
  /// false: pre-norm without the norm before attention, as ModernBERT's first layer.
  bool attention_norm = true;
  bool crosses = false;  // keys and values are those of the encoder's vectors, see Decoder

  bool operator==(const LayerDescription&) const = default;
};

struct EmbeddingDescription {
  std::size_t size = 0;     // e: width of the tables; d without a projection
  bool projection = false;  // e → d, after the LayerNorm
  /// The projection is before the LayerNorm and has no bias.
  bool projection_first = false;
  PositionKind positions = PositionKind::sinusoidal;
  std::size_t type_vocab_size = 0;  // T; 0: no segment embedding
  float scale = 1.0F;
  bool layer_norm = false;
  /// The position of this token is its id. All other tokens are counted from its id + 1 (RoBERTa).
  /// Empty: the position of a token is its index.
  std::optional<TokenId> skipped_pad;
  std::size_t offset = 0;  // otherwise: the position of the first token (BART)

  /// Width of the LayerNorm.
  std::size_t norm_size(std::size_t hidden_size) const {
    return projection && projection_first ? hidden_size : size;
  }
  /// The position of the first token. Earlier rows of the position table are not used.
  std::size_t first_position() const {
    return skipped_pad ? std::size_t{*skipped_pad} + 1 : offset;
  }

  bool operator==(const EmbeddingDescription&) const = default;
};

/// A second stack of layers, which reads the text shifted by one token and attends to the vectors
/// that the first stack, the encoder, gave its tokens (Vaswani et al. 2017, §3.1; Lewis et al.
/// 2020, "BART"). Each of its layers is two of Description::layers: the self-attention, then the
/// attention to the encoder with the feed-forward.
struct Decoder {
  std::size_t first = 0;         // its first layer in Description::layers
  std::optional<TokenId> start;  // its first token; empty: the text's last one that is no padding
  bool encoder_norm = false;     // of the encoder's vectors

  bool operator==(const Decoder&) const = default;
};

/// How a model reads labels together with a text and scores them (Stepanov et al. 2025, "GLiClass",
/// §2.1): a token before each label and one after the last; the vectors of labels and text go
/// through projectors of two layers, and a scorer compares them.
struct LabelReading {
  TokenId label_token = 0;
  TokenId text_token = 0;          // after the last label
  bool labels_first = false;       // before the text, else after it
  bool segments = false;           // from the first text_token on, tokens have type 1, else 0
  bool label_mean = false;         // the mean up to the next label_token, else its own vector
  std::size_t projector_size = 0;  // p
  Activation activation = Activation::gelu;
  bool mlp = false;  // the scorer: three layers that read both vectors, else their product

  bool operator==(const LabelReading&) const = default;
};

/// N-grams are n tokens of one text one after another, without special tokens. Each has the row
/// XXH3_64(its ids as little-endian int32, seed) mod B of a table.
struct NgramDescription {
  std::vector<std::size_t> sizes;  // n of each kind, ascending
  std::size_t buckets = 0;         // B
  std::uint64_t seed = 0;
  // Of the tokenizer, not part of a config: the tokens that it inserts, and the first one that is
  // an n-gram of characters, which is counted, but no part of an n-gram of tokens.
  std::vector<TokenId> special;
  TokenId first_characters = std::numeric_limits<TokenId>::max();

  bool operator==(const NgramDescription&) const = default;
};

struct Description {
  std::size_t vocab_size = 0;     // V
  std::size_t hidden_size = 0;    // d
  std::size_t max_positions = 0;  // longest input in tokens, including special tokens
  bool reads_windows = false;     // longer texts, unless an option says otherwise
  bool reads_pairs = false;       // `fit` trained it on pairs of texts
  EmbeddingDescription embedding;
  std::vector<LayerDescription> layers;
  std::vector<Rotary> rotary;                 // the different ones of the layers
  std::vector<RelativeBias> relative_biases;  // the different ones of the layers
  std::optional<Decoder> decoder;
  std::optional<RelativeAttention> relative_attention;
  std::optional<ConvolutionDescription> convolution;
  bool final_norm = false;
  float layer_norm_eps = 1e-5F;
  LayerNormForm layer_norm_form = LayerNormForm::variance;
  bool norm_bias = true;  // of all norms but those of queries and keys

  Pooling pooling = Pooling::mean;
  /// The vector of a text is the mean of the vectors of its tokens, special ones excluded, and of
  /// its n-grams of at least 2 tokens, of a table [B, d]. Of Pooling::mean without layers.
  std::optional<NgramDescription> ngrams;
  /// The sum of the rows of a text's n-grams in a table [B, c], divided by the root of their
  /// number, is added to its logits.
  std::optional<NgramDescription> label_ngrams;
  /// Pooling::last reads the last token with another id; the first token if there is none.
  std::optional<TokenId> last_skips;
  std::optional<TokenId>
      last_reads;                // instead: the last token with this id, which a text must have
  HeadsDescription label_heads;  // for Pooling::label_attention
  bool normalize = false;        // the pooled vector of a text is divided by its norm
  std::optional<Activation> head_dense;  // empty: no dense layer before the classifier
  std::size_t head_dense_size = 0;       // of its vectors; 0: d
  bool head_dense_bias = true;
  bool head_norm = false;  // after the dense layer and its activation
  /// The dense layer and its norm are applied to each token, before pooling.
  bool head_dense_first = false;
  bool classifier_bias = true;
  /// k: probabilities are means of those of k classifiers, and the classifier is their mean.
  std::size_t folds = 1;
  std::vector<std::string> labels;  // c different names; empty: no classification head
  ProblemType problem_type = ProblemType::single_label;
  std::optional<ScoreActivation> score_activation;  // empty: that of the problem type
  std::optional<LabelReading> label_reading;        // in place of a classification head
  /// Of a FeatureModel with labels: whether the logits are a sum over the features of a text.
  std::optional<bool> adds_features;

  TokenId pad_token_id = 0;
  std::optional<std::size_t> pad_to_length;  // every text is padded to exactly this many tokens

  std::size_t classes() const { return labels.size(); }
  /// Width of the encoded tokens: d, except for a single layer that ends with its concatenated
  /// heads.
  std::size_t encoded_size() const {
    const bool bare = layers.size() == 1 && !layers[0].heads.output_projection;
    return bare ? layers[0].heads.width() : hidden_size;
  }
  /// Width w of the vectors that the classifier reads.
  std::size_t classifier_size() const {
    return head_dense && head_dense_size > 0 ? head_dense_size : encoded_size();
  }

  bool operator==(const Description&) const = default;
};

}  // namespace headlight
