#include "encoder/key_value_cache.h"

namespace headlight {

KeyValueCache::KeyValueCache(const HeadsDescription& heads)
    : sizes_(heads.sizes.begin(),
             heads.sizes.begin() + static_cast<std::ptrdiff_t>(heads.key_heads())),
      panels_(sizes_.size()),
      width_(heads.key_width()) {}

void KeyValueCache::append(ConstMatrix key, ConstMatrix value) {
  for (std::size_t i = 0; i < key.rows; ++i) {
    const std::size_t panel = tokens_ / kPanelColumns;
    const std::size_t column = tokens_ % kPanelColumns;
    const float* next = key.row(i).data();
    for (std::size_t k = 0; k < sizes_.size(); ++k) {
      const std::size_t e = sizes_[k];
      if (column == 0) panels_[k].resize((panel + 1) * e * kPanelColumns);
      float* to = panels_[k].data() + panel * e * kPanelColumns + column;
      for (std::size_t j = 0; j < e; ++j) to[j * kPanelColumns] = *next++;
    }
    const auto row = value.row(i);
    values_.insert(values_.end(), row.begin(), row.end());
    ++tokens_;
  }
}

void KeyValueCache::shorten(std::size_t count) {
  if (count >= tokens_) return;
  tokens_ = count;
  values_.resize(count * width_);
  for (std::size_t k = 0; k < sizes_.size(); ++k) {
    panels_[k].resize(Panels::floats(sizes_[k], count));
  }
}

Panels KeyValueCache::keys(std::size_t k) const { return {panels_[k].data(), sizes_[k], tokens_}; }

}  // namespace headlight
