#include "encoder/head.h"

#include "encoder/label_attention.h"
#include "encoder/pooling.h"

namespace headlight {
namespace {

/// The vector of each text, [t, d], or of each token, [n, d].
ConstMatrix pooled(const Description& model, Pass& pass, ConstMatrix x) {
  if (model.pooling == Pooling::each_token) return x;
  if (!pass.rows.empty()) return x;  // the layers computed only these rows
  const Matrix z = pass.memory(pass.scratch.pooled).shape(pass.batch.texts(), x.cols);
  if (pass.cache == nullptr) {
    pool(model, pass.batch, x, z);
  } else {
    pass.cache->pool.append(pass.batch.ids(), x);
    pass.cache->pool.read(z.row(0));
  }
  return z;
}

/// The dense layer of the head with its activation and norm; x if there is none.
ConstMatrix dense_layer(const Description& model, const Weights& weights, Pass& pass,
                        ConstMatrix x) {
  if (!weights.head_dense) return x;
  HeadTape& notes = pass.notes().head;
  Matrix dense = pass.memory(pass.scratch.dense).shape(x.rows, weights.head_dense->out());
  notes.dense_in = x;
  notes.dense = dense;
  if (pass.tape == nullptr) {
    weights.head_dense->apply(x, dense, *model.head_dense);
  } else {
    weights.head_dense->apply(x, dense);
    dense = pass.tape->copy_of(dense);
    activate(*model.head_dense, dense);
  }
  notes.activated = dense;
  if (weights.head_norm) {
    dense = pass.result_of(dense);
    layer_norm(*weights.head_norm, notes.activated, dense);
  }
  notes.dense_out = dense;
  return dense;
}

/// z [t, d], or [n, d] of the tokens, with some of its numbers dropped.
ConstMatrix drop_pooled(const Description& model, const Pass& pass, ConstMatrix z) {
  const Dropout& dropout = pass.tape->dropout;
  if (dropout.hidden <= 0.0F) return z;
  const Matrix dropped = pass.tape->copy_of(z);
  const bool each_token = model.pooling == Pooling::each_token;
  const auto firsts = pass.batch.starts().first(pass.batch.texts());
  drop_rows(dropout, DropoutPlace::kHead,
            {pass.batch, each_token ? std::span<const std::size_t>() : firsts}, dropped);
  return dropped;
}

}  // namespace

ConstMatrix classifier_input(const Description& model, const Weights& weights, Pass& pass,
                             ConstMatrix x) {
  HeadTape& notes = pass.notes().head;
  ConstMatrix z;  // [t, d]
  if (model.head_dense_first) {
    z = notes.pooled = pooled(model, pass, dense_layer(model, weights, pass, x));
  } else {
    notes.pooled = pooled(model, pass, x);
    z = dense_layer(model, weights, pass, notes.pooled);
  }
  if (pass.tape != nullptr) z = drop_pooled(model, pass, z);
  notes.classified = z;
  return z;
}

ConstMatrix run_head(const Description& model, const Weights& weights, Pass& pass, ConstMatrix x) {
  const bool each_token = model.pooling == Pooling::each_token;
  const std::size_t rows = each_token ? pass.batch.tokens() : pass.batch.texts();
  const Matrix logits = pass.scratch.logits.shape(rows, model.classes());  // [t, c] or [n, c]
  if (!weights.classifier) {
    if (pass.tape != nullptr) pass.tape->head.pooled = pooled(model, pass, x);
    return logits;
  }
  if (weights.label_attention) {
    label_attention_logits(model.label_heads, weights, pass, x, logits);
    return logits;
  }
  const ConstMatrix z = classifier_input(model, weights, pass, x);  // [t, d]
  weights.classifier->apply(z, logits);
  return logits;
}

}  // namespace headlight
