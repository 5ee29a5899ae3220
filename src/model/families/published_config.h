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
  std::size_t token_types = 0;         // default of type_vocab_size; 0: no token types
  SizeField embedding_size{nullptr, 0};  // name nullptr: always d; fallback 0: d
  bool is_projected = false;             // an embedding of size d has a projection, too
  bool has_embedding_norm = true;
  bool skips_pads = false;  // positions skip pad_token_id, see skip_pads()
  NormOrder norm_order = NormOrder::post;
  LayerNormForm norm_form = LayerNormForm::variance;  // rms: the norms have no bias
  std::optional<Activation> head_dense = {};
};

/// The description of an encoder with absolute positions that classifies by its first token, or of
/// a decoder. Each layer has its own weights. The family then changes what differs. Throws Error
/// for a field that is invalid or that requires a computation that is not supported.
FamilyConfig read_published_config(Fields& fields, const PublishedFields& names);
/// The same as a Family has it.
template <const PublishedFields& names>
FamilyConfig read_published_config(const Json& config, const std::string& where) {
  Fields fields(config, where);
  return read_published_config(fields, names);
}

/// Positions begin after the pad's id and skip pads (RoBERTa). With P rows in the position table, a
/// text has at most P − pad − 1 tokens. Throws Error if no position is left.
void skip_pads(Fields& fields, std::size_t pad, Description& model);

/// A decoder classifies by the last token whose id is not pad_token_id; null: by the last token.
/// `fallback` is the family's default.
void skip_last_pads(Fields& fields, std::optional<TokenId> fallback, Description& model);

}  // namespace headlight
