#include "inside/layer_kind.h"

namespace headlight {

LayerKind kind_of_layer(const Description& model, std::size_t layer) {
  if (!model.decoder || layer < model.decoder->first) return LayerKind::encoder;
  return model.layers[layer].crosses ? LayerKind::cross : LayerKind::decoder;
}

std::size_t number_in_stack(const Description& model, std::size_t layer) {
  if (kind_of_layer(model, layer) == LayerKind::encoder) return layer;
  return (layer - model.decoder->first) / 2;
}

std::string layer_label(const Description& model, std::size_t layer) {
  std::string number = std::to_string(layer);
  if (!model.decoder) return number;
  return number + " (" + word_for(kind_of_layer(model, layer), kLayerKindWords) + ")";
}

}  // namespace headlight
