// Reads the tensors of a published checkpoint by a table of their names.
#pragma once

#include <string_view>

#include "model/families/family.h"

namespace headlight {

/// The names of a layer's tensors after the name of the layer. Each has a weight and a bias.
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

/// The names of a family's tensors in a model with a head for texts. Files of only the encoder may
/// omit `prefix`.
struct TensorNames {
  std::string_view prefix;  // "bert."
  const char* projection;   // of the embedding; nullptr: none
  LayerNames layer;
  const char* relative_bias;  // nullptr: none
  const char* head_dense;
  const char* classifier;
  const char* final_norm = nullptr;  // with the prefix; nullptr: none
  const char* task_types = nullptr;  // with the prefix, for FamilyConfig::task_types
};

/// The names of a layer's tensors in BERT.
inline constexpr LayerNames kBertLayer = {"attention.self.query",
                                          "attention.self.key",
                                          "attention.self.value",
                                          "attention.output.dense",
                                          "attention.output.LayerNorm",
                                          "intermediate.dense",
                                          "output.dense",
                                          "output.LayerNorm"};

/// Reads the tensors of the encoder and of the head, if there is one. Throws Error.
Weights read_published_weights(const TensorNames& names, FamilyConfig& config,
                               TensorSource& source);
/// The same as a Family has it.
template <const TensorNames& names>
Weights read_published_weights(FamilyConfig& config, TensorSource& source) {
  return read_published_weights(names, config, source);
}

}  // namespace headlight
