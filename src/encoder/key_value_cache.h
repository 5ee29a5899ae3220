// The keys and values of a layer for the tokens so far, kept for later tokens. With a causal mask,
// later tokens do not change them.
#pragma once

#include <cstddef>
#include <vector>

#include "math/matrix.h"
#include "math/products.h"
#include "model/description.h"

namespace headlight {

class KeyValueCache {
 public:
  /// For heads of these sizes.
  explicit KeyValueCache(const HeadsDescription& heads);

  /// Appends key and value [m, H/g] of the next m tokens.
  void append(ConstMatrix key, ConstMatrix value);
  /// Removes all tokens except the first `count`; keeps the memory.
  void shorten(std::size_t count);

  std::size_t tokens() const { return tokens_; }
  /// The keys of key head k as panels [e, n] for products. Valid until append().
  Panels keys(std::size_t k) const;
  /// All values [n, H/g]. Valid until append().
  ConstMatrix values() const { return {values_.data(), tokens_, width_}; }

 private:
  std::vector<std::size_t> sizes_;          // size e of each key head
  std::vector<std::vector<float>> panels_;  // keys of each key head
  std::vector<float> values_;
  std::size_t width_;
  std::size_t tokens_ = 0;
};

}  // namespace headlight
