// Reads the tensors of a model by a table of their names, those of a published checkpoint or the
// native ones.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "model/families/family.h"

namespace headlight {

/// How a file stores a linear layer, where it differs from native files.
struct Storage {
  std::size_t part = 0;  // this one of `parts` layers of equal size in one tensor
  std::size_t parts = 1;
  bool by_head = false;        // its rows are those of a head of each part, then of the next head
  bool transposed = false;     // [in, out]
  const char* bias = nullptr;  // the name of its bias; "": none; nullptr: that of the weight
};

/// A tensor, or the weight and bias of a layer or norm: the native name (model/weight_tree.h) and
/// the name in the file, both after the name of a layer. A name in the file that begins with a dot
/// follows the prefix. In the layers of a decoder, a native name after "decoder." comes first. A
/// relative bias "attention.relative_bias.weight" is in the first layer that adds it.
struct TensorName {
  std::string_view native;
  std::string_view published;
  Storage storage = {};
};

/// The names of BERT, but for its head.
inline constexpr std::array<TensorName, 12> kBertTensors = {{
    {"embeddings.token.weight", ".embeddings.word_embeddings.weight"},
    {"embeddings.position.weight", ".embeddings.position_embeddings.weight"},
    {"embeddings.token_type.weight", ".embeddings.token_type_embeddings.weight"},
    {"embeddings.norm", ".embeddings.LayerNorm"},
    {"attention.query", "attention.self.query"},
    {"attention.key", "attention.self.key"},
    {"attention.value", "attention.self.value"},
    {"attention.output", "attention.output.dense"},
    {"attention.norm", "attention.output.LayerNorm"},
    {"feed_forward.up", "intermediate.dense"},
    {"feed_forward.down", "output.dense"},
    {"feed_forward.norm", "output.LayerNorm"},
}};

/// The names of Llama, but for its head.
inline constexpr std::array<TensorName, 13> kLlamaTensors = {{
    {"embeddings.token.weight", ".embed_tokens.weight"},
    {"attention.query", "self_attn.q_proj"},
    {"attention.key", "self_attn.k_proj"},
    {"attention.value", "self_attn.v_proj"},
    {"attention.query_norm", "self_attn.q_norm"},
    {"attention.key_norm", "self_attn.k_norm"},
    {"attention.output", "self_attn.o_proj"},
    {"attention.norm", "input_layernorm"},
    {"feed_forward.gate", "mlp.gate_proj"},
    {"feed_forward.up", "mlp.up_proj"},
    {"feed_forward.down", "mlp.down_proj"},
    {"feed_forward.norm", "post_attention_layernorm"},
    {"final_norm", ".norm"},
}};

/// The names of a family's tensors in a model with a head. What no table has is called as in native
/// files.
struct PublishedNames {
  std::string_view prefix;                     // "bert"; files of only the encoder may omit it
  std::string_view layers = ".encoder.layer";  // layer 3 is this and ".3"
  std::string_view head_dense = {};            // a file without it has no head; empty: any file
  const char* classifier = "classifier";
  std::span<const TensorName> tensors = {};
  std::span<const TensorName> others = kBertTensors;  // of tensors not in `tensors`
  bool adds_one_to_gains = false;                     // norms multiply by 1 + what is stored
};

/// The name in this file of a tensor with this native name, without .weight or .bias of layers and
/// norms.
std::string name_in_file(std::string_view native, const PublishedNames& names,
                         const FamilyConfig& config, const TensorSource& source);

/// Reads the tensors of the encoder and of the head, if there is one. config.layer_names are set to
/// those in the file; if they are not empty before, they take the place of names.layers. Throws
/// Error that names the tensor.
Weights read_published_weights(const PublishedNames& names, FamilyConfig& config,
                               TensorSource& source);
/// The same as a Family has it.
template <const PublishedNames& names>
Weights read_published_weights(FamilyConfig& config, TensorSource& source) {
  return read_published_weights(names, config, source);
}

/// The same for the names of native files.
Weights read_native_weights(FamilyConfig& config, TensorSource& source);

}  // namespace headlight
