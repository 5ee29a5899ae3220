// The fields that the configs of published checkpoints have in common.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/fields.h"
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

/// "bert.encoder.layer.0" …, one for each layer, where each has its own weights.
std::vector<std::string> numbered_layers(const std::string& name, std::size_t count);

}  // namespace headlight
