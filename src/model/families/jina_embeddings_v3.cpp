// Jina embeddings v3 (Sturua et al. 2024): XLM-RoBERTa with rotary positions. The reference reads
// it without the adapters of its tasks, which are files of their own.
#include <array>

#include "base/fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/rotary_encoder.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {
    .vocab_size = {"vocab_size", 250002},
    .hidden_size = {"hidden_size", 1024},
    .layers = {"num_hidden_layers", 24},
    .heads = {"num_attention_heads", 16},
    .intermediate_size = {"intermediate_size", 4096},
    .max_positions = {"max_position_embeddings", 8194},
    .head_size = "head_dim",
    .default_epsilon = 1e-5F,
    .has_own_code = false,
    .positions = nullptr,
};

constexpr RotaryEncoder kNames = {
    .prefix = "roberta.",
    .old_prefix = "roberta.",
    .classes = {"embeddings.LayerNorm", "layers.", nullptr, "self_attn.", "self_attn.o_proj",
                "post_attention_layernorm", nullptr, "mlp.fc1", nullptr, "mlp.fc2",
                "post_mlp_layernorm"},
    .hub = {"emb_ln", "encoder.layers.", "mixer.Wqkv", nullptr, "mixer.out_proj", "norm1", nullptr,
            "mlp.fc1", nullptr, "mlp.fc2", "norm2"},
    .up_bias = true,
    .down_bias = true,
    .has_pooler = false,
    .classifier = "classifier.out_proj",
};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, kFields);
  Description& model = config.description;
  read_token_types(fields, model, 1);
  make_rotary(fields, {.default_base = 20'000.0}, model);
  model.head_dense = Activation::tanh;
  return config;
}

constexpr std::array kTypes = {ModelType{"jina_embeddings_v3", "XLMRobertaTokenizer"}};

}  // namespace

constinit const Family kJinaEmbeddingsV3Family = {kTypes, &read_config,
                                                  &read_rotary_encoder<kNames>, true};

}  // namespace headlight
