// The common fields of the configs of published checkpoints.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "model/families/family.h"

namespace headlight {

/// The name of a size in one family, and its default.
struct SizeField {
  const char* name;
  std::size_t fallback;
  const char* alias = nullptr;  // another name that transformers accepts
};

/// The fields of one family. The defaults are those of BERT.
struct PublishedFields {
  SizeField vocab_size{"vocab_size", 30522};
  SizeField hidden_size{"hidden_size", 768};
  SizeField layers{"num_hidden_layers", 12};
  SizeField heads{"num_attention_heads", 12};
  SizeField intermediate_size{"intermediate_size", 3072};  // fallback 0: 4 d
  SizeField max_positions{"max_position_embeddings", 512};
  const char* head_size = nullptr;    // the field that sets e; nullptr: always d / h
  std::size_t default_head_size = 0;  // 0: d / h
  const char* activation = "hidden_act";
  const char* default_activation = "gelu";
  const char* epsilon = "layer_norm_eps";  // nullptr: always the default
  float default_epsilon = 1e-12F;
  bool is_causal = false;    // a decoder that classifies by its last token
  bool has_own_code = true;  // whether auto_map names code that the reference does not have
  const char* positions = "absolute";  // of position_embedding_type; nullptr: the field is not read
};

/// The description of a post-norm encoder with absolute positions that classifies by its first
/// token. Each layer has its own weights. The family then changes what differs. Throws Error for a
/// field that is invalid or that requires a computation that is not supported.
FamilyConfig read_published_config(Fields& fields, const PublishedFields& names);

/// type_vocab_size. Throws Error.
void read_token_types(Fields& fields, Description& model, std::size_t fallback = 2);

/// embedding_size, the width of the embedding tables. Throws Error.
void read_embedding_size(Fields& fields, std::size_t fallback, Description& model);

/// Norms before the attention and the feed-forward of each layer, and after the last layer.
void make_pre_norm(Description& model);

/// Positions begin after the pad's id and skip pads (RoBERTa). With P rows in the position table, a
/// text has at most P − pad − 1 tokens. Throws Error if no position is left.
void skip_pads(Fields& fields, std::size_t pad, Description& model);

/// A decoder classifies by the last token whose id is not pad_token_id; null: by the last token.
/// `fallback` is the family's default.
void skip_last_pads(Fields& fields, std::optional<TokenId> fallback, Description& model);

/// "bert.encoder.layer.0", …: one name for each layer.
std::vector<std::string> numbered_layers(const std::string& name, std::size_t count);

}  // namespace headlight
