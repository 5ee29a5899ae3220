#include "model/pack.h"

#include <algorithm>
#include <vector>

#include "base/parallel.h"

namespace headlight {
namespace {

// Panels that are packed by one thread at a time.
constexpr std::size_t kPanelsAtATime = 8;

struct Piece {
  Linear* linear;
  std::size_t first;  // panel
  std::size_t last;
  float* panels;  // of the layer
};

}  // namespace

void pack_weights(Model& model) {
  if (linear_kernels() != LinearKernels::packed) return;
  std::size_t floats = 0;
  for_each_linear(model.weights, [&](const Linear& linear) {
    if (!linear.is_quantized()) floats += Panels::floats(linear.in(), linear.out());
  });
  model.panels = PanelMemory(floats * sizeof(float));
  auto* next = reinterpret_cast<float*>(model.panels.data());
  std::vector<Piece> pieces;
  for_each_linear(model.weights, [&](Linear& linear) {
    if (linear.is_quantized()) return;
    const std::size_t count = Panels::count(linear.out());
    for (std::size_t first = 0; first < count; first += kPanelsAtATime) {
      pieces.push_back({&linear, first, std::min(first + kPanelsAtATime, count), next});
    }
    next += Panels::floats(linear.in(), linear.out());
  });
  share_work(pieces.size(), [&](std::size_t i) {
    const Piece& piece = pieces[i];
    pack_panels(piece.linear->weight, piece.first, piece.last, piece.panels);
  });
  for (const Piece& piece : pieces) piece.linear->panels = piece.panels;
  model.tensors->let_go();
}

}  // namespace headlight
