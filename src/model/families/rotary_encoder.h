// Post-norm encoders with rotary positions whose files have one of two layouts: the names on the
// Hub, with several projections in one tensor, and the names of the reference's classes.
#pragma once

#include <string_view>

#include "model/families/attention_fields.h"
#include "model/families/family.h"

namespace headlight {

/// The names of a layer's tensors after the name of the layer, and of the embedding's norm.
struct RotaryLayout {
  const char* embedding_norm;
  const char* layers;  // the name of layer 3 is this and "3"
  const char* fused;   // query, key and value in one tensor; nullptr: `attention` and q_proj, …
  const char* attention;  // "self_attn."
  const char* output;
  const char* attention_norm;
  const char* fused_up;  // up and gate in one tensor; nullptr: `up` and `gate`
  const char* up;
  const char* gate;
  const char* down;
  const char* feed_forward_norm;
};

/// The names of a family.
struct RotaryEncoder {
  std::string_view prefix;      // "gte."; files of only the encoder may omit it
  std::string_view old_prefix;  // of files that are older than the reference's classes
  RotaryLayout classes;
  RotaryLayout hub;
  bool up_bias;  // of up and gate
  bool down_bias;
  bool has_pooler;  // the dense layer of the head is the encoder's pooler
  const char* classifier;
};

/// Makes all layers turn their queries and keys by the positions that `names` reads.
void make_rotary(Fields& fields, const RotaryFields& names, Description& model);

/// Reads the tensors of the encoder and of the head, if there is one. Throws Error.
Weights read_rotary_encoder(const RotaryEncoder& names, FamilyConfig& config, TensorSource& source);
/// The same as a Family has it.
template <const RotaryEncoder& names>
Weights read_rotary_encoder(FamilyConfig& config, TensorSource& source) {
  return read_rotary_encoder(names, config, source);
}

}  // namespace headlight
