// EuroBERT (Boizard et al. 2025): the layers of Llama, from both sides.
#include <array>
#include <string>

#include "base/fields.h"
#include "model/families/attention_fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/rotary_encoder.h"
#include "model/families/tensor_reader.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {
    .vocab_size = {"vocab_size", 128256},
    .max_positions = {"max_position_embeddings", 8192},
    .head_size = "head_dim",
    .default_activation = "silu",
    .epsilon = "rms_norm_eps",
    .default_epsilon = 1e-5F,
    .has_own_code = false,
    .positions = nullptr,
};

/// classifier_pooling: `late` applies the head to each token and takes the mean of the logits,
/// which is the classifier of the mean. The class on the Hub reads clf_pooling instead.
void read_pooling(Fields& fields, Description& model) {
  const char* const name = "classifier_pooling";
  const std::string pooling =
      fields.find_value(name) == nullptr ? "late" : fields.required_string(name);
  if (pooling != "late" && pooling != "mean" && pooling != "bos") {
    fields.fail(name, "one of late, mean, bos");
  }
  if (fields.find_value("clf_pooling") != nullptr &&
      fields.required_string("clf_pooling") != pooling) {
    fields.fail("clf_pooling", pooling + ", as classifier_pooling");
  }
  model.pooling = pooling == "bos" ? Pooling::cls : Pooling::mean;
  model.head_dense = Activation::gelu;
  model.head_dense_first = pooling == "late";
}

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, kFields);
  Description& model = config.description;
  model.embedding.layer_norm = false;
  model.layer_norm_form = LayerNormForm::rms;
  model.norm_bias = false;
  make_pre_norm(model);
  make_rotary(fields, {}, model);
  const std::size_t heads = model.label_heads.sizes.size();
  const std::size_t group = read_group(fields, heads, heads);
  for (LayerDescription& layer : model.layers) {
    layer.gated = true;
    layer.feed_forward_bias = fields.flag_or("mlp_bias", false);
    layer.heads.group = group;
    layer.heads.bias = fields.flag_or("attention_bias", false);
    layer.heads.output_bias = layer.heads.bias;
  }
  read_pooling(fields, model);
  config.layer_names = numbered_layers("model.layers", model.layers.size());
  return config;
}

LayerWeights read_layer(TensorReader& reader, const std::string& layer_name, std::size_t d,
                        const LayerDescription& layer) {
  const HeadsDescription& heads = layer.heads;
  const std::size_t f = layer.intermediate_size;
  const bool bias = layer.feed_forward_bias;
  const std::string name = layer_name + ".";
  LayerWeights weights;
  AttentionWeights& attention = weights.attention;
  attention.query = reader.linear(name + "self_attn.q_proj", heads.width(), d, heads.bias);
  attention.key = reader.linear(name + "self_attn.k_proj", heads.key_width(), d, heads.bias);
  attention.value = reader.linear(name + "self_attn.v_proj", heads.key_width(), d, heads.bias);
  attention.output = reader.linear(name + "self_attn.o_proj", d, heads.width(), heads.output_bias);
  attention.norm = reader.norm(name + "input_layernorm", d);
  FeedForwardWeights& feed_forward = weights.feed_forward.emplace();
  feed_forward.gate = reader.linear(name + "mlp.gate_proj", f, d, bias);
  feed_forward.up = reader.linear(name + "mlp.up_proj", f, d, bias);
  feed_forward.down = reader.linear(name + "mlp.down_proj", d, f, bias);
  feed_forward.norm = reader.norm(name + "post_attention_layernorm", d);
  return weights;
}

Weights read_weights(FamilyConfig& config, TensorSource& source) {
  const bool has_head = settle_head("classifier.weight", config, source);
  const Description& model = config.description;
  const std::size_t d = model.hidden_size;
  TensorReader reader("model.", "model.embed_tokens.weight", model, source);
  Weights weights;
  weights.embeddings.token = reader.table("model.embed_tokens.weight", model.vocab_size, d);
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    weights.layers.push_back(read_layer(reader, config.layer_names[i], d, model.layers[i]));
  }
  weights.final_norm = reader.norm("model.norm", d);
  if (has_head) {
    if (model.head_dense) weights.head_dense = reader.linear("dense", d, d, true);
    weights.classifier = reader.linear("classifier", model.classes(), d, true);
  }
  name_layers(reader, config);
  return weights;
}

constexpr std::array kTypes = {ModelType{"eurobert", "TokenizersBackend"}};

}  // namespace

constinit const Family kEuroBertFamily = {kTypes, &read_config, &read_weights, true};

}  // namespace headlight
