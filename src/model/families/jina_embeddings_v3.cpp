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
    .token_types = 1,
    .head_dense = Activation::tanh,
};

constexpr auto kTensors = std::to_array<TensorName>({
    {"feed_forward.up", "mlp.fc1"},
    {"feed_forward.down", "mlp.fc2"},
    {"head.dense", "classifier.dense"},
});
constexpr auto kHubTensors = std::to_array<TensorName>({
    {"embeddings.norm", ".emb_ln"},
    {"attention.query", "mixer.Wqkv", {.part = 0, .parts = 3}},
    {"attention.key", "mixer.Wqkv", {.part = 1, .parts = 3}},
    {"attention.value", "mixer.Wqkv", {.part = 2, .parts = 3}},
    {"attention.output", "mixer.out_proj"},
    {"attention.norm", "norm1"},
    {"feed_forward.up", "mlp.fc1"},
    {"feed_forward.down", "mlp.fc2"},
    {"feed_forward.norm", "norm2"},
    {"head.dense", "classifier.dense"},
});
constexpr RotaryEncoder kNames = {
    .classes = {.prefix = "roberta",
                .layers = ".layers",
                .classifier = "classifier.out_proj",
                .tensors = kTensors,
                .others = kRotaryTensors},
    .hub = {.prefix = "roberta",
            .layers = ".encoder.layers",
            .classifier = "classifier.out_proj",
            .tensors = kHubTensors,
            .others = kRotaryTensors},
    .old_prefix = "roberta",
};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, kFields);
  make_rotary(fields, {.default_base = 20'000.0}, config.description);
  return config;
}

constexpr std::array kTypes = {ModelType{"jina_embeddings_v3", "XLMRobertaTokenizer",
                                         "JinaEmbeddingsV3ForSequenceClassification"}};

}  // namespace

constinit const Family kJinaEmbeddingsV3Family = {kTypes, &read_config,
                                                  &read_rotary_encoder<kNames>, true};

}  // namespace headlight
