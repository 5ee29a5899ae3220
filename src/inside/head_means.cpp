#include "inside/head_means.h"

namespace headlight {

void HeadMeans::add(const TextTrace& trace, std::size_t tokens) {
  HeadMeans text;
  text.tokens_ = tokens;
  for (const auto& context : trace.context) {
    std::vector<double>& sums = text.sums_.emplace_back(context.size() / tokens);
    for (std::size_t i = 0; i < context.size(); ++i) sums[i % sums.size()] += context[i];
  }
  add(text);
}

void HeadMeans::add(const HeadMeans& other) {
  if (other.sums_.empty()) return;
  tokens_ += other.tokens_;
  sums_.resize(other.sums_.size());
  for (std::size_t layer = 0; layer < sums_.size(); ++layer) {
    const auto& added = other.sums_[layer];
    sums_[layer].resize(added.size());
    for (std::size_t i = 0; i < added.size(); ++i) sums_[layer][i] += added[i];
  }
}

std::vector<PartAway> HeadMeans::heads(const Description& model) const {
  std::vector<PartAway> heads;
  for (const Part& part : parts_of(model, PartKind::head)) {
    const auto [first, count] = columns_of(model.layers[part.layer].heads, part.head);
    PartAway& away = heads.emplace_back(PartAway{part});
    away.replacement.assign(count, 0.0F);
    for (std::size_t i = 0; i < count && tokens_ > 0; ++i) {
      away.replacement[i] =
          static_cast<float>(sums_[part.layer][first + i] / static_cast<double>(tokens_));
    }
  }
  return heads;
}

}  // namespace headlight
