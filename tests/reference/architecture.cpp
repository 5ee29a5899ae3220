#include "reference/architecture.h"

#include <numeric>

namespace headlight::reference {
namespace {

using Json = nlohmann::json;

/// The number or string of a field; nothing where it is absent or null.
template <typename T>
std::optional<T> nullable(const Json& config, const char* name) {
  const auto field = config.find(name);
  if (field == config.end() || field->is_null()) return std::nullopt;
  return field->get<T>();
}

}  // namespace

std::size_t Architecture::all_heads() const {
  return std::accumulate(head_sizes.begin(), head_sizes.end(), std::size_t{0});
}

std::size_t Architecture::classifier_in() const {
  const bool lone = num_hidden_layers == 1 && !residual && norm_order == "none" &&
                    intermediate_size == 0 && !head_dense_act;
  return lone && !attention_output_projection ? all_heads() : hidden_size;
}

Architecture read_architecture(const Json& config) {
  Architecture a;
  a.vocab_size = config.at("vocab_size").get<std::size_t>();
  a.hidden_size = config.at("hidden_size").get<std::size_t>();
  a.num_hidden_layers = config.at("num_hidden_layers").get<std::size_t>();
  a.num_attention_heads = config.at("num_attention_heads").get<std::size_t>();
  const std::vector<std::size_t> equal(a.num_attention_heads,
                                       a.hidden_size / a.num_attention_heads);
  a.head_sizes = config.value("head_sizes", equal);
  a.head_input = config.value("head_input", "full");
  a.intermediate_size = config.value("intermediate_size", 4 * a.hidden_size);
  a.hidden_act = config.value("hidden_act", "relu");
  a.position_embedding_type = config.value("position_embedding_type", "sinusoidal");
  a.max_position_embeddings = config.value("max_position_embeddings", std::size_t{512});
  a.type_vocab_size = config.value("type_vocab_size", std::size_t{0});
  a.embedding_scale = config.value("embedding_scale", 1.0);
  a.embedding_layer_norm = config.value("embedding_layer_norm", false);
  a.attention_bias = config.value("attention_bias", true);
  a.attention_output_projection = config.value("attention_output_projection", true);
  a.attention_scale = nullable<double>(config, "attention_scale");
  a.attention_mask = config.value("attention_mask", "bidirectional");
  a.residual = config.value("residual", true);
  a.norm_order = config.value("norm_order", "post");
  a.layer_norm_eps = config.value("layer_norm_eps", 1e-5);
  a.layer_norm_form = config.value("layer_norm_form", "variance");
  a.pooling = config.value("pooling", "mean");
  a.head_dense_act = nullable<std::string>(config, "head_dense_act");
  a.classifier_bias = config.value("classifier_bias", true);
  if (config.contains("id2label")) a.labels = config.at("id2label").size();
  a.problem_type = config.value("problem_type", "single_label_classification");
  a.pad_token_id = config.value("pad_token_id", std::size_t{0});
  a.pad_to_length = nullable<std::size_t>(config, "pad_to_length");
  a.embedding_size = a.hidden_size;
  a.layer_weights.resize(a.num_hidden_layers);
  std::iota(a.layer_weights.begin(), a.layer_weights.end(), std::size_t{0});
  return a;
}

}  // namespace headlight::reference
