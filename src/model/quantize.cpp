#include "model/quantize.h"

#include <algorithm>
#include <vector>

#include "base/parallel.h"

namespace headlight {
namespace {

// Panels that are quantized by one thread at a time.
constexpr std::size_t kPanelsAtATime = 4;

struct Piece {
  const Linear* linear;
  std::size_t first;  // panel
  std::size_t last;
  std::byte* panels;  // of the layer
};

/// The encoder's linear layers that take whole rows.
std::vector<Linear*> encoder_linears(const Description& description, Weights& weights) {
  std::vector<Linear*> linears;
  const auto add = [&](Linear& linear) {
    if (linear.in() <= kMostQuantizedDepth) linears.push_back(&linear);
  };
  if (weights.embeddings.projection) add(*weights.embeddings.projection);
  for (std::size_t i = 0; i < weights.layers.size(); ++i) {
    LayerWeights& layer = weights.layers[i];
    const bool sliced = std::any_of(
        description.layers.begin(), description.layers.end(), [&](const LayerDescription& user) {
          return user.weights == i && user.heads.input == HeadInput::slice;
        });
    if (!sliced) {
      add(layer.attention.query);
      add(layer.attention.key);
      add(layer.attention.value);
    }
    if (layer.attention.output) add(*layer.attention.output);
    if (!layer.feed_forward) continue;
    add(layer.feed_forward->up);
    add(layer.feed_forward->down);
  }
  return linears;
}

}  // namespace

void quantize_weights(Model& model) {
  const std::vector<Linear*> linears = encoder_linears(model.description, model.weights);
  std::size_t bytes = 0;
  for (const Linear* linear : linears) {
    bytes += QuantizedPanels::bytes(linear->in(), linear->out());
  }
  const QuantizedLayout layout = best_quantized_layout();
  model.quantized = PanelMemory(bytes);
  std::byte* next = model.quantized.data();
  std::vector<Piece> pieces;
  for (Linear* linear : linears) {
    linear->quantized = {next, linear->in(), linear->out(), layout};
    const std::size_t count = Panels::count(linear->out());
    for (std::size_t first = 0; first < count; first += kPanelsAtATime) {
      pieces.push_back({linear, first, std::min(first + kPanelsAtATime, count), next});
    }
    next += QuantizedPanels::bytes(linear->in(), linear->out());
  }
  share_work(pieces.size(), [&](std::size_t i) {
    const Piece& piece = pieces[i];
    quantize_panels(piece.linear->weight, layout, piece.first, piece.last, piece.panels);
  });
  model.tensors->let_go();
}

}  // namespace headlight
