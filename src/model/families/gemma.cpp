// Gemma (Gemma Team 2024, "Gemma: Open Models Based on Gemini Research and Technology"): Llama with
// scaled embeddings and norms that multiply by 1 + what is stored.
#include <array>
#include <cmath>
#include <optional>

#include "base/fields.h"
#include "model/families/config_fields.h"
#include "model/families/families.h"
#include "model/families/gated_decoder.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = [] {
  PublishedFields fields = kGatedDecoderFields;
  fields.vocab_size.fallback = 256000;
  fields.hidden_size.fallback = 3072;
  fields.layers.fallback = 28;
  fields.heads.fallback = 16;
  fields.intermediate_size.fallback = 24576;
  fields.max_positions.fallback = 8192;
  fields.default_head_size = 256;
  fields.default_activation = "gelu_pytorch_tanh";
  return fields;
}();

constexpr PublishedNames kNames = {.prefix = "model",
                                   .layers = ".layers",
                                   .classifier = "score",
                                   .others = kLlamaTensors,
                                   .adds_one_to_gains = true};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, kFields);
  Description& model = config.description;
  make_gated_decoder(fields, 16, config);
  skip_last_pads(fields, TokenId{0}, model);
  for (const char* name : {"attention_bias", "use_bidirectional_attention"}) {
    if (read_switch(fields, name)) fields.complain(name, "true is not supported");
  }
  model.embedding.scale = static_cast<float>(std::sqrt(static_cast<double>(model.hidden_size)));
  // Old configs say "gelu" and mean its approximation.
  const bool is_old = fields.nullable_string_or("hidden_act", std::nullopt) == "gelu";
  for (LayerDescription& layer : model.layers) {
    if (is_old) layer.activation = Activation::gelu_tanh;
  }
  return config;
}

constexpr std::array kTypes = {
    ModelType{"gemma", "GemmaTokenizer", "GemmaForSequenceClassification"}};

}  // namespace

constinit const Family kGemmaFamily = {kTypes, &read_config, &read_published_weights<kNames>, true};

}  // namespace headlight
