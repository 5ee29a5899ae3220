// How the files of a family call the tensors of its models: the table that they are read by
// (published_weights.h) and written by (written_weights.h).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// Those of native files.
inline constexpr PublishedNames kNativeNames = {.prefix = "", .layers = "layers", .others = {}};

/// How a file was read, so that others can be written like it: with a head, and with the prefix.
struct TensorLayout {
  PublishedNames names;             // `tensors` and `others` are those below
  std::vector<TensorName> tensors;  // in the order in which they are looked up
  std::vector<std::string> layers;  // FamilyConfig::layer_names before it was read
  std::string classifier;           // FamilyConfig::classifier_tensor
  std::size_t task_types = 0;       // FamilyConfig::task_types
};

inline constexpr std::string_view kTokenTypes = "embeddings.token_type.weight";
inline constexpr std::string_view kTaskTypes = "embeddings.task_type.weight";

/// Where a file has a tensor.
struct TensorPlace {
  std::string name;
  Storage storage = {};
  std::string layer = {};  // how names of the same layer begin
};

/// The names in one file. What it is made of must outlive it.
class FileNames {
 public:
  /// A file of only the encoder has names without the prefix.
  FileNames(const PublishedNames& names, const FamilyConfig& config, const TensorSource& source);
  /// In a file to write.
  FileNames(const TensorLayout& layout, const Description& model);

  const std::vector<std::string>& layers() const { return layers_; }
  /// With the prefix, for a name that begins with a dot.
  std::string in_file(std::string_view name) const;
  /// Of a tensor with this native name, without .weight or .bias of layers and norms.
  TensorPlace locate(std::string_view native) const;

 private:
  void name_layers();
  bool has_entry(std::string_view native) const { return entry(native).published != native; }
  TensorPlace bias_in_layer(std::string_view native) const;
  TensorName entry(std::string_view native) const;

  PublishedNames names_;
  const Description& model_;
  const std::string& classifier_;
  std::vector<std::string> layers_;
  bool bare_ = false;
};

/// The rows of `storage.parts` layers of `rows` rows each in the order of the layers, where they
/// are stored in one tensor.
std::vector<std::size_t> stored_rows(const Storage& storage, const HeadsDescription& heads,
                                     std::size_t rows);

}  // namespace headlight
