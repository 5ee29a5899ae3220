#include "inside/layer_kind.h"

#include <array>

#include "base/words.h"

namespace headlight {
namespace {

constexpr std::array<Word<LayerKind>, 3> kLayerKindWords = {{
    {"encoder", LayerKind::encoder},
    {"decoder", LayerKind::decoder},
    {"cross", LayerKind::cross},
}};

}  // namespace

LayerKind kind_of_layer(const Description& model, std::size_t layer) {
  if (!model.decoder || layer < model.decoder->first) return LayerKind::encoder;
  return model.layers[layer].crosses ? LayerKind::cross : LayerKind::decoder;
}

const char* kind_name(const Description& model, std::size_t layer) {
  return word_for(kind_of_layer(model, layer), kLayerKindWords);
}

std::size_t number_in_stack(const Description& model, std::size_t layer) {
  if (kind_of_layer(model, layer) == LayerKind::encoder) return layer;
  return (layer - model.decoder->first) / 2;
}

std::string layer_label(const Description& model, std::size_t layer) {
  std::string number = std::to_string(layer);
  if (!model.decoder) return number;
  return number + " (" + kind_name(model, layer) + ")";
}

}  // namespace headlight
