#include "encoder/stream.h"

#include "encoder/embedding.h"
#include "encoder/head.h"
#include "encoder/label_attention.h"
#include "encoder/layer.h"
#include "encoder/relative_bias.h"

namespace headlight {

std::optional<std::string> streaming_obstacle(const Description& model) {
  if (model.pad_to_length) {
    return "fills every text to " + std::to_string(*model.pad_to_length) +
           " tokens (pad_to_length), so that a new word moves what stands after it";
  }
  for (const LayerDescription& layer : model.layers) {
    if (layer.heads.mask == AttentionMask::causal) continue;
    return "lets every token see those after it (a bidirectional attention_mask), so that each new "
           "word changes all that came before";
  }
  return std::nullopt;
}

Stream::Stream(const Description& model, const Weights& weights)
    : model_(model), weights_(weights), label_attention_(model.label_heads), pool_(model.pooling) {
  for (const LayerDescription& layer : model.layers) layers_.emplace_back(layer.heads);
}

ConstMatrix Stream::append(std::span<const TokenId> ids, std::span<const TokenId> type_ids,
                           Scratch& scratch) {
  Batch batch;
  batch.add(ids, type_ids);
  batch.continue_at(tokens_);
  tokens_ += ids.size();
  Matrix x = scratch.hidden.shape(ids.size(), model_.hidden_size);  // [m, d]
  embed(model_, weights_.embeddings, batch, scratch, x);
  LayerInput input{batch, relative_bias(weights_.relative_bias, batch, scratch)};
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const LayerDescription& layer = model_.layers[i];
    input.cache = &layers_[i];
    x = run_layer(layer, weights_.layers[layer.weights], input, {}, scratch, nullptr, x);
  }
  if (weights_.final_norm) layer_norm(*weights_.final_norm, x, x);

  const Matrix logits = scratch.logits.shape(1, model_.classes());  // [1, c]
  if (weights_.label_attention) {
    input.cache = &label_attention_;
    label_attention_logits(model_, weights_, input, scratch, nullptr, x, logits);
    return logits;
  }
  pool_.append(x);
  const Matrix z = scratch.pooled.shape(1, x.cols);  // [1, d]
  pool_.read(z.row(0));
  apply_head(model_, weights_, scratch, z, logits);
  return logits;
}

void Stream::shorten(std::size_t count) {
  for (KeyValueCache& layer : layers_) layer.shorten(count);
  if (weights_.label_attention) {
    label_attention_.shorten(count);
  } else {
    pool_.shorten(count);
  }
  tokens_ = count;
}

}  // namespace headlight
