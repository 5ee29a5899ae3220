#include "model/families/tensor_names.h"

#include <algorithm>
#include <string>

namespace headlight {
namespace {

constexpr std::string_view kLayers = "layers.";
constexpr std::string_view kTokens = "embeddings.token.weight";
constexpr std::string_view kLabelReading = "label_reading.";
constexpr std::string_view kRelativeBias = "relative_bias.";
constexpr std::string_view kBiasOfLayer = "attention.relative_bias.weight";

}  // namespace

FileNames::FileNames(const PublishedNames& names, const FamilyConfig& config,
                     const TensorSource& source)
    : names_(names),
      model_(config.description),
      classifier_(config.classifier_tensor),
      layers_(config.layer_names) {
  if (!config.prefix.empty()) names_.prefix = config.prefix;
  const std::string tokens(entry(kTokens).published);
  bare_ = !names_.prefix.empty() && !source.has(in_file(tokens)) && source.has(tokens.substr(1));
  name_layers();
}

FileNames::FileNames(const TensorLayout& layout, const Description& model)
    : names_(layout.names), model_(model), classifier_(layout.classifier), layers_(layout.layers) {
  name_layers();
}

void FileNames::name_layers() {
  const std::size_t count = layers_.empty() ? model_.layers.size() : 0;
  for (std::size_t i = 0; i < count; ++i) {
    layers_.push_back(std::string(names_.layers) + '.' + std::to_string(i));
  }
  for (std::string& layer : layers_) layer = in_file(layer);
}

std::string FileNames::in_file(std::string_view name) const {
  if (!name.starts_with('.')) return std::string(name);
  return bare_ ? std::string(name.substr(1)) : std::string(names_.prefix) + std::string(name);
}

TensorPlace FileNames::locate(std::string_view native) const {
  if (native == "classifier") return {classifier_.substr(0, classifier_.rfind('.'))};
  if (native.starts_with(kLabelReading)) {
    return {"model." + std::string(native.substr(kLabelReading.size()))};
  }
  if (native == kTokenTypes && model_.label_reading) return {"model.segment_embeddings.weight"};
  if (native == "head.dense" && !names_.head_dense.empty()) return {in_file(names_.head_dense)};
  if (native.starts_with(kRelativeBias) && has_entry(kBiasOfLayer)) return bias_in_layer(native);
  if (!native.starts_with(kLayers)) {
    const TensorName found = entry(native);
    return {in_file(found.published), found.storage};
  }
  const std::size_t dot = native.find('.', kLayers.size());
  const std::size_t index =
      std::stoul(std::string(native.substr(kLayers.size(), dot - kLayers.size())));
  const std::string in_decoder = "decoder." + std::string(native.substr(dot + 1));
  const bool is_own = model_.decoder && index >= model_.decoder->first && has_entry(in_decoder);
  const TensorName found = entry(is_own ? in_decoder : native.substr(dot + 1));
  const std::string layer = layers_[index] + '.';
  return {layer + std::string(found.published), found.storage, layer};
}

/// In the first layer that adds it.
TensorPlace FileNames::bias_in_layer(std::string_view native) const {
  const std::string number(native.substr(kRelativeBias.size()));
  const std::size_t bias = number == "weight" ? 0 : std::stoul(number);
  const auto first = std::ranges::find_if(model_.layers, [&](const LayerDescription& layer) {
    return layer.heads.relative_bias == bias;
  });
  const auto& name = layers_[static_cast<std::size_t>(first - model_.layers.begin())];
  return {name + '.' + std::string(entry(kBiasOfLayer).published)};
}

TensorName FileNames::entry(std::string_view native) const {
  for (const auto tensors : {names_.tensors, names_.others}) {
    const auto found = std::ranges::find(tensors, native, &TensorName::native);
    if (found != tensors.end()) return *found;
  }
  return {native, native};
}

std::vector<std::size_t> stored_rows(const Storage& storage, const HeadsDescription& heads,
                                     std::size_t rows) {
  const std::size_t each = storage.by_head ? heads.sizes.front() : rows;
  std::vector<std::size_t> order;
  for (std::size_t part = 0; part < storage.parts; ++part) {
    for (std::size_t block = 0; block < rows / each; ++block) {
      for (std::size_t i = 0; i < each; ++i) {
        order.push_back((storage.parts * block + part) * each + i);
      }
    }
  }
  return order;
}

}  // namespace headlight
