// What is kept of a text that comes in several passes.
#pragma once

#include <cstddef>
#include <vector>

#include "encoder/key_value_cache.h"
#include "encoder/pooling.h"
#include "model/description.h"

namespace headlight {

struct TextCache {
  explicit TextCache(const Description& model)
      : label_attention(model.label_heads), pool(model.pooling) {
    for (const LayerDescription& layer : model.layers) layers.emplace_back(layer.heads);
  }

  /// Forgets all tokens but the first `count`; memory stays.
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
