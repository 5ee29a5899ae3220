// BART (Lewis et al. 2020) and mBART (Liu et al. 2020, "Multilingual Denoising Pre-training for
// Neural Machine Translation"), which has its norms before each sublayer and whose decoder begins
// with the text's language.
#include <array>
#include <cmath>

#include "base/fields.h"
#include "model/families/config_fields.h"
#include "model/families/decoder_stack.h"
#include "model/families/families.h"
#include "model/families/published_config.h"

namespace headlight {
namespace {

constexpr std::size_t kOffset = 2;  // of positions, whatever the padding is
constexpr TokenId kEnd = 2;

constexpr PublishedFields kBartFields = {
    .vocab_size = {"vocab_size", 50265},
    .hidden_size = {"d_model", 1024, "hidden_size"},
    .layers = {"encoder_layers", 12, "num_hidden_layers"},
    .heads = {"encoder_attention_heads", 16, "num_attention_heads"},
    .intermediate_size = {"encoder_ffn_dim", 4096},
    .max_positions = {"max_position_embeddings", 1024},
    .activation = "activation_function",
    .epsilon = nullptr,
    .default_epsilon = 1e-5F,
    .positions = nullptr,
    .head_dense = Activation::tanh,
};

constexpr PublishedFields mbart_fields() {
  PublishedFields fields = kBartFields;
  fields.norm_order = NormOrder::pre;
  return fields;
}

constexpr auto kTensors = std::to_array<TensorName>({
    {"embeddings.token.weight", ".shared.weight"},
    {"embeddings.position.weight", ".encoder.embed_positions.weight"},
    {"embeddings.norm", ".encoder.layernorm_embedding"},
    {"decoder.embeddings.position.weight", ".decoder.embed_positions.weight"},
    {"decoder.embeddings.norm", ".decoder.layernorm_embedding"},
    {"attention.query", "self_attn.q_proj"},
    {"attention.key", "self_attn.k_proj"},
    {"attention.value", "self_attn.v_proj"},
    {"attention.output", "self_attn.out_proj"},
    {"attention.norm", "self_attn_layer_norm"},
    {"cross_attention.query", "encoder_attn.q_proj"},
    {"cross_attention.key", "encoder_attn.k_proj"},
    {"cross_attention.value", "encoder_attn.v_proj"},
    {"cross_attention.output", "encoder_attn.out_proj"},
    {"cross_attention.norm", "encoder_attn_layer_norm"},
    {"feed_forward.up", "fc1"},
    {"feed_forward.down", "fc2"},
    {"feed_forward.norm", "final_layer_norm"},
    {"encoder_norm", ".encoder.layer_norm"},
    {"final_norm", ".decoder.layer_norm"},
});
constexpr PublishedNames kNames = {.prefix = "model",
                                   .layers = "layers.",
                                   .head_dense = "classification_head.dense",
                                   .classifier = "classification_head.out_proj",
                                   .tensors = kTensors,
                                   .others = {}};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  const bool is_mbart = fields.required_string("model_type") == "mbart";
  FamilyConfig config = read_published_config(fields, is_mbart ? mbart_fields() : kBartFields);
  Description& model = config.description;
  if (!fields.flag_or("tie_word_embeddings", true)) {
    fields.complain("tie_word_embeddings", "false is not supported: both stacks share a table");
  }
  const std::size_t d = model.hidden_size;
  if (fields.flag_or("scale_embedding", false)) {
    model.embedding.scale = static_cast<float>(std::sqrt(static_cast<double>(d)));
  }
  model.embedding.offset = kOffset;
  model.pad_token_id = token_or(fields, "pad_token_id", 1, model);
  LayerDescription layer;
  layer.activation = fields.find("activation_function") == nullptr
                         ? Activation::gelu
                         : read_activation(fields, "activation_function");
  layer.norm_order = is_mbart ? NormOrder::pre : NormOrder::post;
  layer.intermediate_size = fields.size_or("decoder_ffn_dim", 4096, 1);
  const std::size_t heads = fields.size_or("decoder_attention_heads", 16, 1, kMostHeads);
  if (d % heads != 0) {
    fields.complain("decoder_attention_heads",
                    std::to_string(heads) + " does not divide d_model " + std::to_string(d));
  }
  layer.heads.sizes.assign(heads, d / heads);
  Decoder decoder;
  decoder.encoder_norm = is_mbart;
  if (!is_mbart) decoder.start = token_or(fields, "decoder_start_token_id", kEnd, model);
  add_decoder(fields, layer, fields.size_or("decoder_layers", 12, 1, kMostLayers), decoder, kEnd,
              model);
  return config;
}

Weights read_weights(FamilyConfig& config, TensorSource& source) {
  Weights weights = read_stacks(kNames, config, source);
  // A bias of the reference's language models.
  accept_unread("final_logits_bias", 1, config.description.vocab_size, source);
  return weights;
}

constexpr std::array kTypes = {ModelType{"bart", "BartTokenizer"},
                               ModelType{"mbart", "MBartTokenizer"}};

}  // namespace

constinit const Family kBartFamily = {kTypes, &read_config, &read_weights, true};

}  // namespace headlight
