// One walk over the tensors of a published checkpoint, by a table of their names.
#pragma once

#include <string_view>

#include "model/families/family.h"

namespace headlight {

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

/// Takes the tensors of `config`'s encoder and, where there is one, its head. Throws Error.
Weights read_published_weights(const TensorNames& names, FamilyConfig& config,
                               TensorSource& source);

}  // namespace headlight
