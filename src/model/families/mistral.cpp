// Mistral (Jiang et al. 2023, "Mistral 7B"): Llama with local attention in all layers, or in those
// that layer_types names.
#include <array>
#include <optional>

#include "base/fields.h"
#include "model/families/attention_fields.h"
#include "model/families/families.h"
#include "model/families/gated_decoder.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = [] {
  PublishedFields fields = kGatedDecoderFields;
  fields.intermediate_size.fallback = 14336;
  fields.max_positions.fallback = 131072;
  return fields;
}();

constexpr PublishedNames kNames = {
    .prefix = "model", .layers = ".layers", .classifier = "score", .others = kLlamaTensors};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, kFields);
  Description& model = config.description;
  make_gated_decoder(fields, 8, config);
  skip_last_pads(fields, std::nullopt, model);
  // With layer_types, the reference reads the model as Ministral, which has windows in some layers.
  // A query sees its own position and sliding_window - 1 others; null: all.
  auto are_local = read_local_layers(fields, model.layers.size());
  if (!are_local) are_local.emplace(model.layers.size(), has_window(fields));
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    if ((*are_local)[i])
      model.layers[i].heads.window = fields.size_or("sliding_window", 4096, 1) - 1;
  }
  return config;
}

constexpr std::array kTypes = {
    ModelType{"mistral", "TokenizersBackend", "MistralForSequenceClassification"}};

}  // namespace

constinit const Family kMistralFamily = {kTypes, &read_config, &read_published_weights<kNames>,
                                         true};

}  // namespace headlight
