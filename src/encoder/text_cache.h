// The state kept between the passes of a text that is computed in several passes.
#pragma once

#include <cstddef>
#include <vector>

#include "encoder/key_value_cache.h"
#include "encoder/pooling.h"
#include "model/description.h"

namespace headlight {

struct TextCache {
  explicit TextCache(const Description& model) : label_attention(model.label_heads), pool(model) {
    for (const LayerDescription& layer : model.layers) layers.emplace_back(layer.heads);
  }

  /// Removes all tokens except the first `count`; keeps the memory.
  void shorten(std::size_t count) {
    for (KeyValueCache& layer : layers) layer.shorten(count);
    label_attention.shorten(count);
    pool.shorten(count);
  }

  std::vector<KeyValueCache> layers;
  KeyValueCache label_attention;
  RunningPool pool;
};

}  // namespace headlight
