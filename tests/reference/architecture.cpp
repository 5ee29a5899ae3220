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

template <typename T>
struct Number {
  using Type = T;
};
template <typename T>
struct Number<std::optional<T>> {
  using Type = T;
};

/// A field with one value for all layers, or a list of one for each; null in a list is nothing.
template <typename T>
std::vector<T> of_each_layer(const Json& config, const char* name, T fallback) {
  const std::size_t layers = config.at("num_hidden_layers").get<std::size_t>();
  const auto field = config.find(name);
  const auto read = [&](const Json& value) {
    return value.is_null() ? fallback : T(value.get<typename Number<T>::Type>());
  };
  if (field == config.end() || !field->is_array()) {
    return std::vector<T>(layers, field == config.end() ? fallback : read(*field));
  }
  std::vector<T> values;
  for (const Json& value : *field) values.push_back(read(value));
  return values;
}

void read_relative(const Json& config, Architecture& a) {
  if (!config.value("relative_attention", false)) return;
  RelativePositions& relative = a.relative_attention.emplace();
  const std::vector<std::string> both = {"c2p", "p2c"};
  for (const std::string& term : config.value("pos_att_type", both)) {
    (term == "c2p" ? relative.content_to_position : relative.position_to_content) = true;
  }
  a.score_terms = 1 + static_cast<std::size_t>(relative.content_to_position) +
                  static_cast<std::size_t>(relative.position_to_content);
  relative.span = config.value("max_relative_positions", a.max_position_embeddings);
  if (const auto buckets = nullable<std::size_t>(config, "position_buckets")) {
    relative.farthest = relative.span;
    relative.span = *buckets;
  }
  relative.shared = config.value("share_att_key", false);
  relative.norm = config.value("norm_rel_ebd", "none") == "layer_norm";
}

}  // namespace

std::size_t Architecture::all_heads() const {
  return std::accumulate(head_sizes.begin(), head_sizes.end(), std::size_t{0});
}

std::size_t Architecture::group() const { return num_attention_heads / num_key_value_heads; }

bool Architecture::norms_before() const { return norm_order == "pre" || norm_order == "sandwich"; }

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
  a.num_key_value_heads = config.value("num_key_value_heads", a.num_attention_heads);
  a.attention_window =
      of_each_layer<std::optional<std::size_t>>(config, "attention_window", std::nullopt);
  a.rope_theta = of_each_layer<double>(config, "rope_theta", 10000.0);
  a.partial_rotary_factor = config.value("partial_rotary_factor", 1.0);
  a.rope_interleaved = config.value("rope_interleaved", false);
  a.query_key_norm = config.value("query_key_norm", false);
  a.gated_feed_forward = config.value("gated_feed_forward", false);
  a.feed_forward_bias = config.value("feed_forward_bias", true);
  a.intermediate_size = config.value("intermediate_size", 4 * a.hidden_size);
  a.hidden_act = config.value("hidden_act", "relu");
  a.position_embedding_type = config.value("position_embedding_type", "sinusoidal");
  a.max_position_embeddings = config.value("max_position_embeddings", std::size_t{512});
  a.type_vocab_size = config.value("type_vocab_size", std::size_t{0});
  a.embedding_scale = config.value("embedding_scale", 1.0);
  a.embedding_layer_norm = config.value("embedding_layer_norm", false);
  a.attention_bias = config.value("attention_bias", true);
  a.attention_output_bias = config.value("attention_output_bias", a.attention_bias);
  a.attention_output_projection = config.value("attention_output_projection", true);
  a.attention_scale = nullable<double>(config, "attention_scale");
  a.attention_mask = config.value("attention_mask", "bidirectional");
  a.residual = config.value("residual", true);
  a.norm_order = config.value("norm_order", "post");
  a.layer_norm_eps = config.value("layer_norm_eps", 1e-5);
  a.layer_norm_form = config.value("layer_norm_form", "variance");
  a.norm_bias = config.value("norm_bias", true);
  a.first_attention_norm = config.value("first_attention_norm", true);
  a.last_skips_pad = config.value("last_skips_pad", false);
  a.head_dense_bias = config.value("head_dense_bias", true);
  a.head_norm = config.value("head_norm", false);
  a.head_dense_first = config.value("head_dense_first", false);
  a.pooling = config.value("pooling", "mean");
  a.head_dense_act = nullable<std::string>(config, "head_dense_act");
  a.classifier_bias = config.value("classifier_bias", true);
  if (config.contains("id2label")) a.labels = config.at("id2label").size();
  a.problem_type = config.value("problem_type", "single_label_classification");
  a.pad_token_id = config.value("pad_token_id", std::size_t{0});
  a.pad_to_length = nullable<std::size_t>(config, "pad_to_length");
  a.embedding_size = config.value("embedding_size", a.hidden_size);
  a.embedding_projection = config.value("embedding_projection", a.embedding_size != a.hidden_size);
  a.embedding_projection_first = config.value("embedding_projection_first", false);
  read_relative(config, a);
  a.conv_kernel_size = nullable<std::size_t>(config, "conv_kernel_size").value_or(0);
  a.conv_groups = config.value("conv_groups", std::size_t{1});
  a.conv_act = config.value("conv_act", "tanh");
  a.layer_weights.resize(a.num_hidden_layers);
  std::iota(a.layer_weights.begin(), a.layer_weights.end(), std::size_t{0});
  return a;
}

}  // namespace headlight::reference
