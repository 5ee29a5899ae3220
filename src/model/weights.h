// The weights of a model, const and shared by threads. The tree of structs is the tree of native
// tensor names: weights.layers[i].attention.query is layers.{i}.attention.query. A copy is a tree
// of views of the same memory. weight_tree.h visits all tensors.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "math/linear.h"
#include "math/products.h"

namespace headlight {

struct EmbeddingWeights {
  Table token;                       // [V, e]
  Table position;                    // [P, e], absolute positions only
  Table token_type;                  // [T, e], T > 0 only
  Table ngrams;                      // [B, d], see Description::ngrams
  std::optional<LayerNorm> norm;     // [e]; [d] if the projection comes first
  std::optional<Linear> projection;  // [d, e]
};

struct AttentionWeights {
  Linear query, key, value;  // [H, d], [H/g, d], [H/g, d]; [H, e] if each head reads its slice
  std::optional<LayerNorm> query_norm, key_norm;  // [e]
  std::optional<Linear> output;                   // [d, H]
  std::optional<LayerNorm> norm;
  std::optional<LayerNorm> output_norm;  // of the sublayer's output, NormOrder::sandwich
  std::optional<Linear> relative_key, relative_query;  // [H/g, d], [H, d]
};

struct FeedForwardWeights {
  std::optional<Linear> gate;  // [f, d]
  Linear up;                   // [f, d]
  Linear down;                 // [d, f]
  std::optional<LayerNorm> norm;
  std::optional<LayerNorm> output_norm;
};

struct LayerWeights {
  AttentionWeights attention;
  std::optional<FeedForwardWeights> feed_forward;
};

/// The relative embeddings as keys and queries of one layer. They do not depend on a text.
struct RelativeTables {
  std::vector<Panels> keys;  // [e, 2s] of each key head; empty: no content-to-position scores
  ConstMatrix queries;       // [2s, H]; empty: no position-to-content scores
  Buffer key_memory;
  Buffer query_memory;
};

struct RelativeWeights {
  ConstMatrix embeddings;  // [2s, d]
  std::optional<LayerNorm> norm;
  /// By layer, as make_relative_tables() makes them.
  std::shared_ptr<const std::vector<RelativeTables>> tables;
};

struct ConvolutionWeights {
  Linear linear;  // [d, k · d / groups]: the columns of one token after those of another
  LayerNorm norm;
};

struct LabelAttentionWeights {
  ConstMatrix queries;  // [c, d]
  AttentionWeights attention;
};

struct Weights {
  EmbeddingWeights embeddings;
  std::vector<LayerWeights> layers;                    // indexed by LayerDescription::weights
  std::vector<ConstMatrix> relative_biases;            // [r, h] of each
  std::optional<EmbeddingWeights> decoder_embeddings;  // without `token`, which is the encoder's
  std::optional<LayerNorm> encoder_norm;               // see Decoder
  std::optional<RelativeWeights> relative_attention;
  std::optional<ConvolutionWeights> convolution;
  std::optional<LayerNorm> final_norm;
  std::optional<LabelAttentionWeights> label_attention;
  std::optional<Linear> head_dense;  // [w, d]
  std::optional<LayerNorm> head_norm;
  std::optional<Linear> classifier;  // [c, w]; empty: no classification head
  std::optional<Linear> folds;       // [k · c, w], see Description::folds
  Table label_ngrams;                // [B, c], see Description::label_ngrams
  /// Of LabelReading: the projector of texts [p, d], [d, p], that of labels, the scorer's layers
  /// [256, 2d], [128, 256], [1, 128].
  std::vector<Linear> label_reading;
};

}  // namespace headlight
