#include "encoder/tape.h"

#include "encoder/pass.h"

namespace headlight {

void Tape::rewind(std::size_t layers_of_model) {
  used_ = 0;
  values = {};
  layers.assign(layers_of_model, {});
  attentions.resize(layers_of_model + 1);
}

Buffer& Tape::memory(Buffer& /*usual*/) {
  if (used_ == buffers_.size()) buffers_.emplace_back();
  return buffers_[used_++];
}

void Tape::note(const Pass& pass, Moment moment, ConstMatrix value) {
  (is_of_layer(moment) ? layers[pass.layer] : values)[moment] = value;
  if (moment == Moment::encoded) {
    positions = pass.positions;
    rows = pass.rows;
  }
}

void Tape::change(const Pass& pass, Moment moment, Matrix value) {
  if (moment == Moment::context || moment == Moment::activated) return;
  drop(moment, pass.layer, {pass.batch, pass.rows}, value);
  if (start.rows == 0) return;
  if (moment == Moment::embedded) copy_rows(start.row_range(0, value.rows), value);
  if (moment == Moment::target_embedded) copy_rows(start.row_range(value.rows, value.rows), value);
}

void Tape::drop(Moment moment, std::size_t layer, const BatchRows& batch_rows, Matrix x) const {
  const Batch& batch = batch_rows.batch;
  switch (moment) {
    case Moment::attention_branch:
      return drop_rows(dropout, DropoutPlace::attention(layer), batch_rows, x);
    case Moment::feed_forward_branch:
      return drop_rows(dropout, DropoutPlace::feed_forward(layer), batch_rows, x);
    case Moment::classifier_input: {
      // A vector of a text counts as that of its first token.
      const auto firsts = batch.starts().first(x.rows == batch.tokens() ? 0 : batch.texts());
      return drop_rows(dropout, DropoutPlace::kHead, {batch, firsts}, x);
    }
    default:
      return drop_rows(dropout, DropoutPlace::kEmbedding, batch_rows, x);
  }
}

void Tape::attend(const Pass& pass, Moment moment, std::span<TextAttention> texts) {
  for (TextAttention& attention : texts) {
    if (moment == Moment::label_context) break;
    attention.dropout = attention_dropout(dropout, pass.layer, attention.text);
  }
  attentions[pass.layer].assign(texts.begin(), texts.end());
}

}  // namespace headlight
