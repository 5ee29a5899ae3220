// A text that comes token by token, through a model whose tokens see only what is before them: each
// costs one row a layer, whatever came before, by a cache of keys and values (Pope et al. 2022,
// "Efficiently Scaling Transformer Inference", §2.1).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "encoder/scratch.h"
#include "encoder/text_cache.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// Why a model's earlier tokens would change with each new one, or nothing where they do not.
std::optional<std::string> streaming_obstacle(const Description& model);

class Stream {
 public:
  /// The model must have a classification head and no streaming_obstacle(), and outlive this.
  Stream(const Description& model, const Weights& weights);

  /// The next tokens of the text, at least one; with them it has at most max_positions. Logits
  /// [1, c] of the text so far, valid until `scratch` is used again: with packed kernels the same
  /// bits as forward() gives of the whole of it.
  ConstMatrix append(std::span<const TokenId> ids, std::span<const TokenId> type_ids,
                     Scratch& scratch);
  /// Forgets all tokens but the first `count` (at most tokens()); memory stays.
  void shorten(std::size_t count);

  std::size_t tokens() const { return tokens_; }

 private:
  const Description& model_;
  const Weights& weights_;
  TextCache cache_;
  std::size_t tokens_ = 0;
};

}  // namespace headlight
