// The keys and values that a layer made of the tokens so far, kept for those that come after them:
// where the mask is causal, no later token changes them.
#pragma once

#include <cstddef>
#include <vector>

#include "math/matrix.h"
#include "math/products.h"
#include "model/description.h"

namespace headlight {

class KeyValueCache {
 public:
  /// Of heads of these sizes.
  explicit KeyValueCache(const HeadsDescription& heads);

  /// key, value [m, H]: of the next m tokens.
  void append(ConstMatrix key, ConstMatrix value);
  /// Forgets all tokens but the first `count`; memory stays.
  void shorten(std::size_t count);

  std::size_t tokens() const { return tokens_; }
  /// The keys of head k as panels [e, n], ready to be multiplied with. Valid until append().
  Panels keys(std::size_t k) const;
  /// All values [n, H], likewise.
  ConstMatrix values() const { return {values_.data(), tokens_, width_}; }

 private:
  std::vector<std::size_t> sizes_;          // e of each head
  std::vector<std::vector<float>> panels_;  // of each head
  std::vector<float> values_;
  std::size_t width_;
  std::size_t tokens_ = 0;
};

}  // namespace headlight
