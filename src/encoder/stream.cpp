#include "encoder/stream.h"

#include "encoder/forward.h"

namespace headlight {

std::optional<std::string> streaming_obstacle(const Description& model) {
  if (model.pad_to_length) {
    return "pads every text to " + std::to_string(*model.pad_to_length) +
           " tokens (pad_to_length), so a new word moves the tokens after it";
  }
  if (model.decoder) {
    return "has an encoder and a decoder, so a new word changes the vectors of earlier words";
  }
  if (model.ngrams) return "pools n-grams (ngram_sizes), which a stream does not";
  if (model.label_ngrams) return "adds n-grams (label_ngram_sizes), which a stream does not";
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
    : model_(model), weights_(weights), label_attention_(model.label_heads), pool_(model) {
  for (const LayerDescription& layer : model.layers) layers_.emplace_back(layer.heads);
}

ConstMatrix Stream::append(std::span<const TokenId> ids, std::span<const TokenId> type_ids,
                           Scratch& scratch) {
  Batch batch;
  batch.add(ids, type_ids);
  batch.continue_at(tokens_);
  tokens_ += ids.size();
  return forward(model_, weights_, {batch, scratch, this, 0, /*adds_folds=*/true});
}

void Stream::shorten(std::size_t count) {
  for (KeyValueCache& layer : layers_) layer.shorten(count);
  label_attention_.shorten(count);
  pool_.shorten(count);
  tokens_ = count;
}

bool Stream::provides(const Pass& /*pass*/, Moment moment, Matrix value) {
  if (moment != Moment::pooled) return false;
  pool_.read(value.row(0));
  return true;
}

void Stream::note(const Pass& pass, Moment moment, ConstMatrix value) {
  if (moment == Moment::pooling_input) pool_.append(pass.batch.ids(), value);
}

void Stream::attend(const Pass& pass, Moment moment, std::span<TextAttention> texts) {
  KeyValueCache& cache = moment == Moment::context ? layers_[pass.layer] : label_attention_;
  cache.append(texts.front().key, texts.front().value);
  texts.front().cache = &cache;
}

}  // namespace headlight
