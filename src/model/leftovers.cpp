#include "model/leftovers.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/utf8.h"

namespace headlight {
namespace {

constexpr std::size_t kNamesInALine = 8;

/// Pretraining heads, poolers that classifiers do not use, counters that old versions saved, and
/// positions that DeBERTa does not add.
bool is_harmless(std::string_view name) {
  constexpr std::array<std::string_view, 12> kHeads = {"cls.",
                                                       "lm_head.",
                                                       "vocab_transform.",
                                                       "vocab_layer_norm.",
                                                       "vocab_projector.",
                                                       "predictions.",
                                                       "discriminator_predictions.",
                                                       "lm_predictions.",
                                                       "mask_predictions.",
                                                       "pooler.",
                                                       "head.",
                                                       "decoder."};
  constexpr std::array<std::string_view, 3> kCounters = {"position_ids", "token_type_ids",
                                                         "position_embeddings.weight"};
  const std::string_view inside = name.substr(name.find('.') + 1);  // without "bert."
  return std::any_of(kHeads.begin(), kHeads.end(),
                     [&](std::string_view head) { return name.starts_with(head); }) ||
         inside.starts_with("pooler.") ||
         std::any_of(kCounters.begin(), kCounters.end(), [&](std::string_view counter) {
           return name.ends_with(".embeddings." + std::string(counter)) ||
                  name == "embeddings." + std::string(counter);
         });
}

/// Constants that the reference computes, but that old versions saved inside their layers: the
/// causal mask of GPT-2 and the frequencies of rotary positions.
bool is_constant(std::string_view name) {
  constexpr std::array<std::string_view, 3> kConstants = {".attn.bias", ".attn.masked_bias",
                                                          ".rotary_emb.inv_freq"};
  return std::any_of(kConstants.begin(), kConstants.end(),
                     [&](std::string_view constant) { return name.ends_with(constant); });
}

/// Whether `name` is inside one of `layers`: "…layer.3.attention.adapter" in "…layer.3".
bool is_in_layer(std::string_view name, const std::set<std::string, std::less<>>& layers) {
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos;
       dot = name.find('.', dot + 1)) {
    if (layers.contains(name.substr(0, dot))) return true;
  }
  return false;
}

}  // namespace

void settle_leftovers(const FamilyConfig& config, Model& model) {
  const std::set<std::string, std::less<>> layers(config.layer_names.begin(),
                                                  config.layer_names.end());
  std::vector<std::string> harmless;
  std::vector<std::string> unknown;
  for (const auto& name : model.tensors->leftovers()) {
    const bool is_known = is_constant(name);
    if (!is_known && is_in_layer(name, layers)) {
      model.tensors->refuse(name,
                            "unknown tensor inside a layer; it would change the result of the "
                            "layer, and adapters are not supported");
    }
    (is_known || is_harmless(name) ? harmless : unknown).push_back(name);
  }
  if (!harmless.empty()) {
    model.remarks.push_back(model.place.weights +
                            ": ignored tensors of other heads: " + listed(harmless, kNamesInALine));
  }
  if (!unknown.empty()) {
    model.warnings.push_back(model.place.weights +
                             ": ignored unknown tensors: " + listed(unknown, kNamesInALine));
  }
}

}  // namespace headlight
