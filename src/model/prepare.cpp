#include "model/prepare.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "math/products.h"
#include "model/weight_tree.h"

namespace headlight {
namespace {

// The number of panels that a thread prepares at a time.
constexpr std::size_t kPanelsAtATime = 8;

/// The linear layers that read vectors of tokens or texts.
class PreparedLinears : public LinearVisitor {
 public:
  struct Entry {
    Linear* linear;
    LinearUse use;
  };

  void linear(const std::string& /*name*/, Linear& linear, const LinearShape& shape) override {
    if (shape.use != LinearUse::relative) entries.push_back({&linear, shape.use});
  }

  std::vector<Entry> entries;
};

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
  PreparedLinears linears;
  visit_weights(description, linears, weights);
  const PreparedWeights encoder_form = unprepared(forms.encoder);
  const PreparedWeights rest_form = unprepared(forms.rest);
  std::size_t bytes = 0;
  for (const auto& [linear, use] : linears.entries) {
    const bool is_encoder = use == LinearUse::encoder && can_prepare(forms.encoder, linear->in());
    linear->prepared = is_encoder ? encoder_form : rest_form;
    bytes += bytes_of(*linear);
  }
  PanelMemory memory(bytes);
  std::byte* next = memory.data();
  std::vector<Piece> pieces;
  for (const auto& entry : linears.entries) {
    Linear& linear = *entry.linear;
    const std::size_t own = bytes_of(linear);
    if (own == 0) continue;
    const std::size_t panels = Panels::count(linear.out());
    for (std::size_t first = 0; first < panels; first += kPanelsAtATime) {
      pieces.push_back({&linear, first, std::min(first + kPanelsAtATime, panels), next});
    }
    linear.prepared.data = next;
    next += own;
  }
  share_work(pieces.size(), [&](std::size_t i) {
    const Piece& piece = pieces[i];
    prepare_panels(piece.linear->weight, piece.linear->prepared, piece.first, piece.last,
                   piece.memory);
  });
  return memory;
}

}  // namespace headlight
