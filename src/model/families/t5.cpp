// T5 (Raffel et al. 2020, "Exploring the Limits of Transfer Learning"), with Flan-T5, mT5 and UMT5:
// root mean square norms, no positions but a learned bias by distance, scores that are not scaled.
// Classifiers have a decoder; encoders of sentences and labellers of tokens do not.
#include <array>

#include "base/fields.h"
#include "model/families/config_fields.h"
#include "model/families/decoder_stack.h"
#include "model/families/families.h"
#include "model/families/published_config.h"

namespace headlight {
namespace {

constexpr TokenId kEnd = 1;
constexpr std::size_t kLongestText = 1'000'000;  // the reference has no limit
constexpr const char* kClassifier = "classification_head.out_proj";

constexpr PublishedFields kT5Fields = {
    .vocab_size = {"vocab_size", 32128},
    .hidden_size = {"d_model", 512, "hidden_size"},
    .layers = {"num_layers", 6, "num_hidden_layers"},
    .heads = {"num_heads", 8, "num_attention_heads"},
    .intermediate_size = {"d_ff", 2048},
    .max_positions = {"max_position_embeddings", kLongestText},
    .head_size = "d_kv",
    .default_head_size = 64,
    .activation = "dense_act_fn",
    .epsilon = "layer_norm_epsilon",
    .default_epsilon = 1e-6F,
    .positions = nullptr,
    .has_embedding_norm = false,
    .norm_order = NormOrder::pre,
    .norm_form = LayerNormForm::rms,
    .head_dense = Activation::tanh,
};

constexpr PublishedFields multilingual_fields() {
  PublishedFields fields = kT5Fields;
  fields.vocab_size.fallback = 250112;
  fields.layers.fallback = 8;
  fields.heads.fallback = 6;
  fields.intermediate_size.fallback = 1024;
  return fields;
}

constexpr auto kTensors = std::to_array<TensorName>({
    {"embeddings.token.weight", ".shared.weight"},
    {"attention.query", "layer.0.SelfAttention.q"},
    {"attention.key", "layer.0.SelfAttention.k"},
    {"attention.value", "layer.0.SelfAttention.v"},
    {"attention.output", "layer.0.SelfAttention.o"},
    {"attention.norm", "layer.0.layer_norm"},
    {"attention.relative_bias.weight", "layer.0.SelfAttention.relative_attention_bias.weight"},
    {"cross_attention.query", "layer.1.EncDecAttention.q"},
    {"cross_attention.key", "layer.1.EncDecAttention.k"},
    {"cross_attention.value", "layer.1.EncDecAttention.v"},
    {"cross_attention.output", "layer.1.EncDecAttention.o"},
    {"cross_attention.norm", "layer.1.layer_norm"},
    {"feed_forward.gate", "layer.1.DenseReluDense.wi_0"},
    {"feed_forward.down", "layer.1.DenseReluDense.wo"},
    {"feed_forward.norm", "layer.1.layer_norm"},
    {"decoder.feed_forward.gate", "layer.2.DenseReluDense.wi_0"},
    {"decoder.feed_forward.down", "layer.2.DenseReluDense.wo"},
    {"decoder.feed_forward.norm", "layer.2.layer_norm"},
    {"encoder_norm", ".encoder.final_layer_norm"},
});
constexpr auto kPlain = std::to_array<TensorName>({
    {"feed_forward.up", "layer.1.DenseReluDense.wi"},
    {"decoder.feed_forward.up", "layer.2.DenseReluDense.wi"},
});
constexpr auto kGated = std::to_array<TensorName>({
    {"feed_forward.up", "layer.1.DenseReluDense.wi_1"},
    {"decoder.feed_forward.up", "layer.2.DenseReluDense.wi_1"},
});
constexpr PublishedNames kNames = {.prefix = "transformer",
                                   .layers = "block.",
                                   .head_dense = "classification_head.dense",
                                   .classifier = kClassifier};

/// "relu", "gated-silu", and "gated-gelu", which is gelu_new. The fields that the reference derives
/// from it, and saves beside it, win.
void read_feed_forward(Fields& fields, bool is_gated, LayerDescription& layer) {
  const std::string given = fields.nullable_string_or("feed_forward_proj", std::nullopt)
                                .value_or(is_gated ? "gated-gelu" : "relu");
  constexpr std::string_view kGate = "gated-";
  layer.gated = given.starts_with(kGate);
  const auto found = given == "gated-gelu"
                         ? find_activation("gelu_new")
                         : find_activation(given.substr(layer.gated ? kGate.size() : 0));
  if (!found) fields.fail("feed_forward_proj", "an activation, such as relu, or gated-gelu");
  if (fields.find("dense_act_fn") == nullptr) layer.activation = *found;
  layer.gated = fields.flag_or("is_gated_act", layer.gated);
  layer.feed_forward_bias = false;
}

/// One table of biases for each stack, or for each layer.
void read_biases(Fields& fields, bool of_each_layer, Description& model) {
  constexpr std::size_t kFewest = 4;
  RelativeBias bias;
  bias.rows = bias.buckets.count =
      fields.size_or("relative_attention_num_buckets", kRelativeBuckets, kFewest);
  bias.buckets.farthest =
      fields.size_or("relative_attention_max_distance", 128, bias.buckets.count / 2 + 1);
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    if (model.layers[i].crosses) continue;
    const std::size_t decoder = model.decoder->first;
    bias.buckets.backward = i >= decoder;
    if (of_each_layer || i == 0 || i == decoder) model.relative_biases.push_back(bias);
    model.layers[i].heads.relative_bias = model.relative_biases.size() - 1;
  }
}

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  const std::string type = fields.required_string("model_type");
  const bool is_t5 = type == "t5";
  FamilyConfig config = read_published_config(fields, is_t5 ? kT5Fields : multilingual_fields());
  Description& model = config.description;
  model.embedding.positions = PositionKind::none;
  model.pooling = Pooling::mean;
  if (model.layers.empty()) fields.complain("num_layers", "0 leaves no encoder");
  LayerDescription layer = model.layers.front();
  layer.heads.scale = 1.0F;
  layer.heads.bias = layer.heads.output_bias = false;
  read_feed_forward(fields, !is_t5, layer);
  for (LayerDescription& one : model.layers) one = layer;
  Decoder decoder;
  decoder.encoder_norm = true;
  model.pad_token_id = token_or(fields, "pad_token_id", 0, model);
  if (is_t5 && config.architecture.ends_with("ForSequenceClassification")) {
    fields.required_size("decoder_start_token_id", 0);  // the reference has no default
  }
  decoder.start = token_or(fields, "decoder_start_token_id", 0, model);
  const bool is_even = fields.find_value("num_decoder_layers") == nullptr;
  const std::size_t count =
      is_even ? model.layers.size() : fields.required_size("num_decoder_layers", 1, kMostLayers);
  add_decoder(fields, layer, count, decoder, kEnd, model);
  read_biases(fields, type == "umt5", model);
  return config;
}

Weights read_weights(FamilyConfig& config, TensorSource& source) {
  Description& model = config.description;
  const bool is_gated = model.layers.front().gated;
  const bool classifies = config.architecture.empty()
                              ? source.has(std::string(kClassifier) + ".weight")
                              : config.architecture.ends_with("ForSequenceClassification");
  if (!classifies) drop_decoder(model);
  std::vector<TensorName> tensors(kTensors.begin(), kTensors.end());
  const auto& more = is_gated ? kGated : kPlain;
  tensors.insert(tensors.end(), more.begin(), more.end());
  tensors.push_back(
      {"final_norm", model.decoder ? ".decoder.final_layer_norm" : ".encoder.final_layer_norm"});
  PublishedNames names = kNames;
  names.tensors = tensors;
  names.others = {};
  if (!classifies) names.head_dense = {};
  Weights weights = read_stacks(names, config, source);
  if (!model.decoder) return weights;
  // Saved by old versions, which did not read it either.
  accept_unread(config.layer_names[model.decoder->first] +
                    ".layer.1.EncDecAttention.relative_attention_bias.weight",
                model.relative_biases.front().rows, model.label_heads.sizes.size(), source);
  return weights;
}

constexpr std::array kTypes = {ModelType{"t5", "T5Tokenizer"}, ModelType{"mt5", "T5Tokenizer"},
                               ModelType{"umt5", "T5Tokenizer"}};

}  // namespace

constinit const Family kT5Family = {kTypes, &read_config, &read_weights, true};

}  // namespace headlight
