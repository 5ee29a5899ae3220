#include "model/prepare.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/parallel.h"
#include "math/products.h"

namespace headlight {
namespace {

// The number of panels that a thread prepares at a time.
constexpr std::size_t kPanelsAtATime = 8;

/// The encoder's linear layers that read complete rows.
std::vector<const Linear*> encoder_linears(const Description& description, const Weights& weights) {
  std::vector<const Linear*> linears;
  if (weights.embeddings.projection) linears.push_back(&*weights.embeddings.projection);
  if (weights.convolution && description.convolution->groups == 1) {
    linears.push_back(&weights.convolution->linear);
  }
  for (std::size_t i = 0; i < weights.layers.size(); ++i) {
    const LayerWeights& layer = weights.layers[i];
    const AttentionWeights& attention = layer.attention;
    const bool sliced = std::any_of(
        description.layers.begin(), description.layers.end(), [&](const LayerDescription& user) {
          return user.weights == i && user.heads.input == HeadInput::slice;
        });
    if (!sliced)
      linears.insert(linears.end(), {&attention.query, &attention.key, &attention.value});
    if (attention.output) linears.push_back(&*attention.output);
    if (!layer.feed_forward) continue;
    if (layer.feed_forward->gate) linears.push_back(&*layer.feed_forward->gate);
    linears.insert(linears.end(), {&layer.feed_forward->up, &layer.feed_forward->down});
  }
  return linears;
}

std::size_t bytes_of(const Linear& linear) {
  return prepared_bytes(linear.prepared.form, linear.out(), linear.in());
}

/// A range of panels of one layer.
struct Piece {
  const Linear* linear;
  std::size_t first;
  std::size_t last;
  std::byte* memory;  // of the whole layer
};

}  // namespace

PanelMemory prepare_weights(const Description& description, const LinearForms& forms,
                            Weights& weights) {
  const std::vector<const Linear*> encoder = encoder_linears(description, weights);
  const PreparedWeights encoder_form = unprepared(forms.encoder);
  const PreparedWeights rest_form = unprepared(forms.rest);
  std::size_t bytes = 0;
  for_each_linear(weights, [&](Linear& linear) {
    const bool in_encoder = std::find(encoder.begin(), encoder.end(), &linear) != encoder.end();
    linear.prepared =
        in_encoder && can_prepare(forms.encoder, linear.in()) ? encoder_form : rest_form;
    bytes += bytes_of(linear);
  });
  PanelMemory memory(bytes);
  std::byte* next = memory.data();
  std::vector<Piece> pieces;
  for_each_linear(weights, [&](Linear& linear) {
    const std::size_t own = bytes_of(linear);
    if (own == 0) return;
    const std::size_t panels = Panels::count(linear.out());
    for (std::size_t first = 0; first < panels; first += kPanelsAtATime) {
      pieces.push_back({&linear, first, std::min(first + kPanelsAtATime, panels), next});
    }
    linear.prepared.data = next;
    next += own;
  });
  share_work(pieces.size(), [&](std::size_t i) {
    const Piece& piece = pieces[i];
    prepare_panels(piece.linear->weight, piece.linear->prepared, piece.first, piece.last,
                   piece.memory);
  });
  return memory;
}

}  // namespace headlight
