#include "classifier/recent_texts.h"

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

/// Ids, then segments. Each takes half of the key, so that no two texts share a key.
void set_key(const TokenIds& text, std::u32string& key) {
  key.assign(text.ids.begin(), text.ids.end());
  key.append(text.type_ids.begin(), text.type_ids.end());
}

}  // namespace

const std::vector<float>* RecentTexts::find(const TokenIds& text) {
  set_key(text, key_);
  if (const auto found = young_.find(key_); found != young_.end()) return &found->second;
  if (const auto found = old_.find(key_); found != old_.end()) return &found->second;
  return nullptr;
}

void RecentTexts::add(const TokenIds& text, std::span<const float> result) {
  const std::size_t tokens = text.size() + result.size() / kNumbers;
  if (young_tokens_ > 0 && young_tokens_ + tokens > kTokens) {
    old_ = std::exchange(young_, {});
    young_tokens_ = 0;
  }
  set_key(text, key_);
  if (young_.try_emplace(key_, result.begin(), result.end()).second) young_tokens_ += tokens;
}

}  // namespace headlight
