#include "encoder/stream.h"

#include "encoder/forward.h"

namespace headlight {

std::optional<std::string> streaming_obstacle(const Description& model) {
  if (model.pad_to_length) {
    return "pads every text to " + std::to_string(*model.pad_to_length) +
           " tokens (pad_to_length), so a new word moves the tokens after it";
  }
  if (model.convolution) {
    return "has a convolution (conv_kernel_size), so a new word changes the vectors of earlier "
           "words";
  }
  for (const LayerDescription& layer : model.layers) {
    if (layer.heads.mask == AttentionMask::causal) continue;
    return "has bidirectional attention (attention_mask), so a new word changes the vectors of "
           "earlier "
           "words";
  }
  return std::nullopt;
}

Stream::Stream(const Description& model, const Weights& weights)
    : model_(model), weights_(weights), cache_(model) {}

ConstMatrix Stream::append(std::span<const TokenId> ids, std::span<const TokenId> type_ids,
                           Scratch& scratch) {
  Batch batch;
  batch.add(ids, type_ids);
  batch.continue_at(tokens_);
  tokens_ += ids.size();
  Pass pass{batch, scratch};
  pass.cache = &cache_;
  return forward(model_, weights_, pass);
}

void Stream::shorten(std::size_t count) {
  cache_.shorten(count);
  tokens_ = count;
}

}  // namespace headlight
