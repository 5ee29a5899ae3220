// Runs a causal model on a text that arrives token by token. With a cache of keys and values, each
// token costs one row per layer, however long the text is (Pope et al. 2022,
// "Efficiently Scaling Transformer Inference", §2.1).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "encoder/key_value_cache.h"
#include "encoder/observer.h"
#include "encoder/pooling.h"
#include "encoder/scratch.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// The reason why a new token would change the vectors of earlier tokens; empty if it would not.
std::optional<std::string> streaming_obstacle(const Description& model);

class Stream final : private Observer {
 public:
  /// The model must have a classification head that labels texts, and no streaming_obstacle(). It
  /// must outlive this object.
  Stream(const Description& model, const Weights& weights);

  /// Appends at least one token; the text must not exceed max_positions. Returns the logits [1, c]
  /// of the text so far, valid until `scratch` is used again. With packed kernels they have the
  /// same bits as forward() for the whole text.
  ConstMatrix append(std::span<const TokenId> ids, std::span<const TokenId> type_ids,
                     Scratch& scratch);
  /// Removes all tokens except the first `count` (at most tokens()); keeps the memory.
  void shorten(std::size_t count);

  std::size_t tokens() const { return tokens_; }

 private:
  // Attention reads the keys and values of earlier tokens too, and pooling their rows.
  bool reads_all_rows() const override { return true; }
  bool provides(const Pass& pass, Moment moment, Matrix value) override;
  void note(const Pass& pass, Moment moment, ConstMatrix value) override;
  void attend(const Pass& pass, Moment moment, std::span<TextAttention> texts) override;

  const Description& model_;
  const Weights& weights_;
  std::vector<KeyValueCache> layers_;
  KeyValueCache label_attention_;
  RunningPool pool_;
  std::size_t tokens_ = 0;
};

}  // namespace headlight
