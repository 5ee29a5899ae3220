// Post-norm encoders with rotary positions whose files have one of two layouts: the names on the
// Hub, with several projections in one tensor, and the names of the reference's classes.
#pragma once

#include <array>
#include <string_view>

#include "model/families/attention_fields.h"
#include "model/families/family.h"
#include "model/families/published_weights.h"

namespace headlight {

/// The names of the reference's classes.
inline constexpr std::array<TensorName, 13> kRotaryTensors = {{
    {"embeddings.token.weight", ".embeddings.word_embeddings.weight"},
    {"embeddings.token_type.weight", ".embeddings.token_type_embeddings.weight"},
    {"embeddings.norm", ".embeddings.LayerNorm"},
    {"attention.query", "self_attn.q_proj"},
    {"attention.key", "self_attn.k_proj"},
    {"attention.value", "self_attn.v_proj"},
    {"attention.output", "self_attn.o_proj"},
    {"attention.norm", "post_attention_layernorm"},
    {"feed_forward.gate", "mlp.gate_proj"},
    {"feed_forward.up", "mlp.up_proj"},
    {"feed_forward.down", "mlp.down_proj"},
    {"feed_forward.norm", "post_mlp_layernorm"},
    {"head.dense", ".pooler.dense"},
}};

/// The names of a family.
struct RotaryEncoder {
  PublishedNames classes;
  PublishedNames hub;
  std::string_view old_prefix;  // of files that are older than the reference's classes
};

/// Makes all layers turn their queries and keys by the positions that `names` reads.
void make_rotary(Fields& fields, const RotaryFields& names, Description& model);

/// Reads the tensors of the encoder and of the head, if there is one. Throws Error.
Weights read_rotary_encoder(const RotaryEncoder& encoder, FamilyConfig& config,
                            TensorSource& source);
/// The same as a Family has it.
template <const RotaryEncoder& encoder>
Weights read_rotary_encoder(FamilyConfig& config, TensorSource& source) {
  return read_rotary_encoder(encoder, config, source);
}

}  // namespace headlight
