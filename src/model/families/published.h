// What the families of published checkpoints share: the fields their configs have in common, and
// one walk over their tensors by a table of names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/families/family.h"

namespace headlight {

/// A size under its name in one family, and what it is where a config leaves it out.
struct SizeField {
  const char* name;
  std::size_t fallback;
  const char* alias = nullptr;  // another name that the training stack takes for it
};

/// The fields of one family; those of BERT unless it says otherwise.
struct PublishedFields {
  SizeField vocab_size{"vocab_size", 30522};
  SizeField hidden_size{"hidden_size", 768};
  SizeField layers{"num_hidden_layers", 12};
  SizeField heads{"num_attention_heads", 12};
  SizeField intermediate_size{"intermediate_size", 3072};
  const char* activation = "hidden_act";
  const char* default_activation = "gelu";
  const char* epsilon = "layer_norm_eps";  // nullptr: 1e-12, whatever the config says
};

/// The description of a post-norm encoder with absolute positions that classifies by its first
/// token, layer i running with its own weights. A family then changes what is different with it.
/// Throws Error for a field that is wrong, and for one that asks for another computation than the
/// encoder's.
FamilyConfig read_published_config(Fields& fields, const PublishedFields& names);

/// type_vocab_size. Throws Error.
void read_token_types(Fields& fields, Description& model);

/// embedding_size where tables have a width of their own. Throws Error.
void read_embedding_size(Fields& fields, std::size_t fallback, Description& model);

/// Positions that begin after the pad's id and skip pads (RoBERTa): the last of the table's rows is
/// then the position of token P − pad − 1. Throws Error where none is left.
void skip_pads(Fields& fields, std::size_t pad, Description& model);

/// Names of a layer's tensors after the layer's own; each has a weight and a bias.
struct LayerNames {
  const char* query;
  const char* key;
  const char* value;
  const char* output;
  const char* attention_norm;
  const char* up;
  const char* down;
  const char* feed_forward_norm;
};

/// Names of a family's tensors, as they stand in a model with a head. Files of the encoder alone
/// may leave `prefix` out.
struct TensorNames {
  std::string_view prefix;  // "bert."
  const char* projection;   // of the embedding; nullptr: the family has none
  LayerNames layer;
  const char* relative_bias;  // nullptr: the family has none
  const char* head_dense;
  const char* classifier;
};

/// BERT's names of a layer's tensors.
inline constexpr LayerNames kBertLayer = {"attention.self.query",
                                          "attention.self.key",
                                          "attention.self.value",
                                          "attention.output.dense",
                                          "attention.output.LayerNorm",
                                          "intermediate.dense",
                                          "output.dense",
                                          "output.LayerNorm"};

/// "bert.encoder.layer.0" …, one for each layer, where each has its own weights.
std::vector<std::string> numbered_layers(const std::string& name, std::size_t count);

/// Takes the tensors of `config`'s encoder and, where there is one, its head. Throws Error.
Weights read_published_weights(const TensorNames& names, FamilyConfig& config,
                               TensorSource& source);

}  // namespace headlight
