#include "encoder/ablation.h"

#include <algorithm>
#include <numeric>

#include "encoder/pass.h"

namespace headlight {

std::vector<Part> parts_of(const Description& model, PartKind kind) {
  std::vector<Part> parts;
  for (std::size_t layer = 0; layer < model.layers.size(); ++layer) {
    const LayerDescription& own = model.layers[layer];
    if (kind == PartKind::feed_forward && own.intermediate_size == 0) continue;
    const std::size_t count = kind == PartKind::head ? own.heads.sizes.size() : 1;
    for (std::size_t head = 0; head < count; ++head) parts.push_back({kind, layer, head});
  }
  return parts;
}

HeadColumns columns_of(const HeadsDescription& heads, std::size_t head) {
  const auto before = heads.sizes.begin() + static_cast<std::ptrdiff_t>(head);
  return {std::accumulate(heads.sizes.begin(), before, std::size_t{0}), heads.sizes[head]};
}

void begin_at(const AblatedPart& part, Matrix x) {
  for (std::size_t i = 0; i < part.hidden.rows; ++i) {
    std::ranges::copy(part.hidden.row(i), x.row(i).begin());
  }
}

bool passes_over(const Pass& pass) {
  if (pass.part == nullptr || pass.layer > pass.part->part.layer) return false;
  return pass.layer < pass.part->part.layer || pass.part->part.kind == PartKind::layer;
}

bool knows_context(const Pass& pass) {
  return pass.part != nullptr && pass.layer == pass.part->part.layer && pass.part->context.rows > 0;
}

void replace_head(const HeadsDescription& heads, const Pass& pass, Matrix context) {
  if (pass.part == nullptr || pass.layer != pass.part->part.layer) return;
  if (pass.part->part.kind != PartKind::head) return;
  const auto [first, count] = columns_of(heads, pass.part->part.head);
  const Matrix own = context.column_range(first, count);
  for (std::size_t i = 0; i < own.rows; ++i) {
    if (pass.part->replacement.empty()) {
      std::ranges::fill(own.row(i), 0.0F);
    } else {
      std::ranges::copy(pass.part->replacement, own.row(i).begin());
    }
  }
}

bool lacks_feed_forward(const Pass& pass) {
  return pass.part != nullptr && pass.part->part.kind == PartKind::feed_forward &&
         pass.layer == pass.part->part.layer;
}

}  // namespace headlight
