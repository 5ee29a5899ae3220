#include "encoder/ablation.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "encoder/pass.h"

namespace headlight {
namespace {

/// In the outputs of all heads of the layer of the pass.
void clear_head(const Pass& pass, const Part& head, Matrix outputs) {
  if (pass.layer != head.layer) return;
  const auto [first, count] = columns_of(pass.model->layers[pass.layer].heads, head.head);
  fill_zeros(outputs.column_range(first, count));
}

}  // namespace

std::vector<Part> parts_of(const Description& model, PartKind kind) {
  std::vector<Part> parts;
  for (std::size_t layer = 0; layer < model.layers.size(); ++layer) {
    const LayerDescription& description = model.layers[layer];
    if (kind == PartKind::feed_forward && description.intermediate_size == 0) continue;
    std::size_t count = kind == PartKind::head ? description.heads.sizes.size() : 1;
    if (kind == PartKind::neuron) count = description.intermediate_size;
    for (std::size_t head = 0; head < count; ++head) parts.push_back({kind, layer, head});
  }
  return parts;
}

std::vector<std::vector<Part>> each_alone(const std::vector<Part>& parts) {
  std::vector<std::vector<Part>> alone;
  alone.reserve(parts.size());
  for (const Part& part : parts) alone.push_back({part});
  return alone;
}

HeadColumns columns_of(const HeadsDescription& heads, std::size_t head) {
  const auto before = heads.sizes.begin() + static_cast<std::ptrdiff_t>(head);
  return {std::accumulate(heads.sizes.begin(), before, std::size_t{0}), heads.sizes[head]};
}

bool AblatedParts::provides(const Pass& pass, Moment moment, Matrix value) {
  const Part& part = parts.front();
  if (moment == Moment::layer_output) {
    return (pass.layer < part.layer && hidden.rows > 0) ||
           (pass.layer == part.layer && part.kind == PartKind::layer);
  }
  if (pass.layer != part.layer) return false;
  if (moment == Moment::context && context.rows > 0) {
    if (pass.rows.empty()) copy_rows(context, value);
    for (std::size_t i = 0; i < pass.rows.size(); ++i) {
      copy_rows(context.row_range(pass.rows[i], 1), value.row_range(i, 1));
    }
    return true;
  }
  if (moment == Moment::feed_forward_output && part.kind == PartKind::feed_forward) {
    fill_zeros(value);
    return true;
  }
  return false;
}

void AblatedParts::change(const Pass& pass, Moment moment, Matrix value) {
  const Part& part = parts.front();
  if (moment == Moment::embedded && hidden.rows > 0) return copy_rows(hidden, value);
  if (moment == Moment::activated && pass.layer == part.layer && part.kind == PartKind::neuron) {
    return fill_zeros(value.column_range(part.head, 1));
  }
  if (moment != Moment::context || part.kind != PartKind::head) return;
  for (const Part& head : parts) clear_head(pass, head, value);
}

void HeadsOff::note(const Pass& pass, Moment moment, ConstMatrix value) {
  if (inner_ != nullptr) inner_->note(pass, moment, value);
}

void HeadsOff::change(const Pass& pass, Moment moment, Matrix value) {
  if (moment != Moment::context) return;
  for (const Part& head : heads_) clear_head(pass, head, value);
}

void HeadsOff::attend(const Pass& pass, Moment moment, std::span<TextAttention> texts) {
  if (inner_ != nullptr) inner_->attend(pass, moment, texts);
}

}  // namespace headlight
