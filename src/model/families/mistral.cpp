// Mistral (Jiang et al. 2023, "Mistral 7B"): Llama with local attention in all layers.
#include <array>
#include <optional>

#include "base/fields.h"
#include "model/families/families.h"
#include "model/families/gated_decoder.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {
    .vocab_size = {"vocab_size", 32000},
    .hidden_size = {"hidden_size", 4096},
    .layers = {"num_hidden_layers", 32},
    .heads = {"num_attention_heads", 32},
    .intermediate_size = {"intermediate_size", 14336},
    .max_positions = {"max_position_embeddings", 131072},
    .head_size = "head_dim",
    .default_activation = "silu",
    .epsilon = "rms_norm_eps",
    .default_epsilon = 1e-6F,
    .is_causal = true,
    .positions = nullptr,
    .has_embedding_norm = false,
    .norm_order = NormOrder::pre,
    .norm_form = LayerNormForm::rms,
};

constexpr PublishedNames kNames = {
    .prefix = "model", .layers = ".layers", .classifier = "score", .others = kLlamaTensors};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, kFields);
  Description& model = config.description;
  make_gated_decoder(fields, 8, config);
  skip_last_pads(fields, std::nullopt, model);
  // A query sees its own position and sliding_window - 1 others; null: all.
  const bool is_local =
      fields.find("sliding_window") == nullptr || fields.find_value("sliding_window") != nullptr;
  if (!is_local) return config;
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
