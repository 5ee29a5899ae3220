// Mistral (Jiang et al. 2023, "Mistral 7B"): Llama with local attention in all layers.
#include <array>
#include <optional>

#include "base/fields.h"
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
  // A query sees its own position and sliding_window - 1 others; null: all.
  if (!has_window(fields)) return config;
  const std::size_t window = fields.size_or("sliding_window", 4096, 1);
  for (LayerDescription& layer : model.layers) layer.heads.window = window - 1;
  return config;
}

constexpr std::array kTypes = {
    ModelType{"mistral", "TokenizersBackend", "MistralForSequenceClassification"}};

}  // namespace

constinit const Family kMistralFamily = {kTypes, &read_config, &read_published_weights<kNames>,
                                         true};

}  // namespace headlight
