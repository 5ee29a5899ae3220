// ALBERT (Lan et al. 2020): a narrow embedding with a projection, and groups of layers that share
// weights. Each use of a group runs all its inner layers.
#include <array>

#include "base/error.h"
#include "base/fields.h"
#include "model/families/config_fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {
    .vocab_size = {"vocab_size", 30000},
    .hidden_size = {"hidden_size", 4096},
    .heads = {"num_attention_heads", 64},
    .intermediate_size = {"intermediate_size", 16384},
    .default_activation = "gelu_new",
    .token_types = 2,
    .embedding_size = {"embedding_size", 128},
    .is_projected = true,
    .head_dense = Activation::tanh,
};

constexpr auto kTensors = std::to_array<TensorName>({
    {"embeddings.projection", ".encoder.embedding_hidden_mapping_in"},
    {"attention.query", "attention.query"},
    {"attention.key", "attention.key"},
    {"attention.value", "attention.value"},
    {"attention.output", "attention.dense"},
    {"attention.norm", "attention.LayerNorm"},
    {"feed_forward.up", "ffn"},
    {"feed_forward.down", "ffn_output"},
    {"feed_forward.norm", "full_layer_layer_norm"},
});
constexpr PublishedNames kNames = {
    .prefix = "albert", .head_dense = ".pooler", .tensors = kTensors};

/// Replaces the L layers by L · k inner layers that refer to the weights of their group.
void share_layers(Fields& fields, FamilyConfig& config) {
  Description& model = config.description;
  const std::size_t layers = model.layers.size();
  if (layers == 0) fields.fail("num_hidden_layers", "a whole number of at least 1");
  const std::size_t groups = fields.size_or("num_hidden_groups", 1, 1, kMostLayers);
  const std::size_t inner = fields.size_or("inner_group_num", 1, 1, kMostLayers);
  if (layers * inner > kMostLayers || groups * inner > kMostLayers) {
    fields.complain("inner_group_num", std::to_string(inner) + " makes more than " +
                                           std::to_string(kMostLayers) + " layers");
  }
  LayerDescription layer = model.layers.front();
  model.layers.clear();
  // The reference also divides in float64.
  const double layers_a_group = static_cast<double>(layers) / static_cast<double>(groups);
  for (std::size_t i = 0; i < layers; ++i) {
    const auto group = static_cast<std::size_t>(static_cast<double>(i) / layers_a_group);
    for (std::size_t k = 0; k < inner; ++k) {
      layer.weights = group * inner + k;
      model.layers.push_back(layer);
    }
  }
  for (std::size_t group = 0; group < groups; ++group) {
    const std::string name = ".encoder.albert_layer_groups." + std::to_string(group);
    for (std::size_t k = 0; k < inner; ++k) {
      config.layer_names.push_back(name + ".albert_layers." + std::to_string(k));
    }
  }
}

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, kFields);
  share_layers(fields, config);
  return config;
}

constexpr std::array kTypes = {
    ModelType{"albert", "AlbertTokenizer", "AlbertForSequenceClassification"}};

}  // namespace

constinit const Family kAlbertFamily = {kTypes, &read_config, &read_published_weights<kNames>,
                                        true};

}  // namespace headlight
