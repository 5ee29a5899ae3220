// Decoders with rotary positions, RMS norms, gated feed-forwards and heads that share keys, which
// classify by their last token.
#pragma once

#include <cstddef>

#include "base/fields.h"
#include "model/families/family.h"
#include "model/families/published_config.h"

namespace headlight {

/// The fields of Llama's config; other families change what differs.
inline constexpr PublishedFields kGatedDecoderFields = {
    .vocab_size = {"vocab_size", 32000},
    .hidden_size = {"hidden_size", 4096},
    .layers = {"num_hidden_layers", 32},
    .heads = {"num_attention_heads", 32},
    .intermediate_size = {"intermediate_size", 11008},
    .max_positions = {"max_position_embeddings", 2048},
    .head_size = "head_dim",
    .default_activation = "silu",
    .epsilon = "rms_norm_eps",
    .default_epsilon = 1e-6F,
    .is_causal = true,
    .positions = nullptr,
    .has_embedding_norm = false,
    .norm_order = NormOrder::pre,
    .norm_form = LayerNormForm::rms,
};

/// Sets the positions and the head of what read_published_config() has read.
void make_gated_head(Fields& fields, FamilyConfig& config);

/// The same, and layers without biases. `key_heads`: those of a config that does not say how many
/// heads have keys; null means all.
void make_gated_decoder(Fields& fields, std::size_t key_heads, FamilyConfig& config);

/// Whether sliding_window is a number, or left to its default; null means that all is seen.
bool has_window(Fields& fields);

}  // namespace headlight
