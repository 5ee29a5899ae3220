// XLM-RoBERTa-XL (Goyal et al. 2021): XLM-RoBERTa with the norms before attention and feed-forward,
// one after the last layer, and none after the embedding.
#include <array>

#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {
    .vocab_size = {"vocab_size", 250880},
    .hidden_size = {"hidden_size", 2560},
    .layers = {"num_hidden_layers", 36},
    .heads = {"num_attention_heads", 32},
    .intermediate_size = {"intermediate_size", 10240},
    .max_positions = {"max_position_embeddings", 514},
    .default_epsilon = 1e-5F,
    .token_types = 1,
    .has_embedding_norm = false,
    .skips_pads = true,
    .norm_order = NormOrder::pre,
    .head_dense = Activation::tanh,
};

constexpr auto kTensors = std::to_array<TensorName>({
    {"attention.norm", "attention.self_attn_layer_norm"},
    {"feed_forward.norm", "LayerNorm"},
    {"final_norm", ".encoder.LayerNorm"},
});
constexpr PublishedNames kNames = {.prefix = "roberta",
                                   .head_dense = "classifier.dense",
                                   .classifier = "classifier.out_proj",
                                   .tensors = kTensors};

constexpr std::array kTypes = {
    ModelType{"xlm-roberta-xl", "XLMRobertaTokenizer", "XLMRobertaXLForSequenceClassification"}};

}  // namespace

constinit const Family kXlmRobertaXlFamily = {kTypes, &read_published_config<kFields>,
                                              &read_published_weights<kNames>, true};

}  // namespace headlight
