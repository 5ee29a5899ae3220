// What a model is, as plain values: the fields of a native config.json with the defaults of the
// specification's table ("config.json of a native model"), choices being the words they are in the
// file; and what published families need besides.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "reference/disentangled.h"

namespace headlight::reference {

struct Architecture {
  std::size_t vocab_size = 0;
  std::size_t hidden_size = 0;  // d
  std::size_t num_hidden_layers = 0;
  std::size_t num_attention_heads = 0;  // h
  std::vector<std::size_t> head_sizes;  // e of each head
  std::string head_input;
  std::size_t num_key_value_heads = 0;
  std::vector<std::optional<std::size_t>> attention_window;  // of each layer, or empty
  std::vector<double> rope_theta;                            // of each layer
  double partial_rotary_factor = 1.0;
  bool rope_interleaved = false;
  bool query_key_norm = false;
  std::size_t intermediate_size = 0;
  std::string hidden_act;
  bool gated_feed_forward = false;
  bool feed_forward_bias = true;
  std::string position_embedding_type;
  std::size_t max_position_embeddings = 0;
  std::size_t type_vocab_size = 0;
  double embedding_scale = 1.0;
  bool embedding_layer_norm = false;
  bool attention_bias = true;
  bool attention_output_bias = true;
  bool attention_output_projection = true;
  std::optional<double> attention_scale;
  std::string attention_mask;
  bool residual = true;
  std::string norm_order;
  double layer_norm_eps = 1e-5;
  std::string layer_norm_form;
  bool norm_bias = true;
  bool first_attention_norm = true;
  std::string pooling;
  bool last_skips_pad = false;
  std::optional<std::string> head_dense_act;
  bool head_dense_bias = true;
  bool head_norm = false;
  bool head_dense_first = false;
  bool classifier_bias = true;
  std::optional<std::size_t> labels;  // how many id2label names; nothing: the field is absent
  std::string problem_type;
  std::size_t pad_token_id = 0;
  std::optional<std::size_t> pad_to_length;

  std::size_t embedding_size = 0;           // e
  bool embedding_projection = false;        // e → d, after the LayerNorm
  bool embedding_projection_first = false;  // before it, without bias
  std::optional<RelativePositions> relative_attention;
  std::size_t score_terms = 1;       // products in a score
  std::size_t conv_kernel_size = 0;  // 0: no convolution
  std::size_t conv_groups = 1;
  std::string conv_act;

  // Of published families alone.
  std::vector<std::size_t> layer_weights;  // whose weights each layer runs with: layers.{this}
  std::optional<std::size_t> skipped_pad;  // positions begin after its id and do not count it
  bool relative_bias = false;              // 32 buckets

  std::size_t all_heads() const;      // H
  std::size_t group() const;          // query heads of a key head
  bool norms_before() const;          // the sublayers' inputs are normed
  std::size_t classifier_in() const;  // d, or H where a lone layer ends in its concatenated heads
};

/// `config` must be valid; what no table row explains is not looked for.
Architecture read_architecture(const nlohmann::json& config);

}  // namespace headlight::reference
