#include "encoder/head.h"

#include "encoder/label_attention.h"
#include "encoder/pooling.h"

namespace headlight {
namespace {

/// The vector of each text, [t, d], or of each token, [n, d].
ConstMatrix pooled(const Description& model, const Pass& pass, ConstMatrix x) {
  if (model.pooling == Pooling::each_token) return x;
  if (!pass.rows.empty()) return x;  // the layers computed only these rows
  pass.note(Moment::pooling_input, x);
  const Matrix z = pass.matrix(pass.scratch.pooled, pass.batch.texts(), x.cols);
  if (!pass.provides(Moment::pooled, z)) pool(model, pass.batch, x, z);
  return z;
}

/// The dense layer of the head with its activation and norm; x if there is none.
ConstMatrix dense_layer(const Description& model, const Weights& weights, const Pass& pass,
                        ConstMatrix x) {
  if (!weights.head_dense) return x;
  const Linear& linear = *weights.head_dense;
  const Activation activation = *model.head_dense;
  pass.note(Moment::dense_input, x);
  Matrix dense = pass.matrix(pass.scratch.dense, x.rows, linear.out());
  linear.apply(x, dense, pass.fused(activation));
  dense = pass.activated(activation, Moment::dense, dense, pass.scratch.dense);
  if (!weights.head_norm) return dense;
  return pass.normed(*weights.head_norm, Moment::dense_unnormed, dense);
}

}  // namespace

ConstMatrix classifier_input(const Description& model, const Weights& weights, Pass& pass,
                             ConstMatrix x) {
  ConstMatrix z = model.head_dense_first ? dense_layer(model, weights, pass, x) : x;
  z = pooled(model, pass, z);  // [t, d]
  pass.note(Moment::pooled, z);
  if (!model.head_dense_first) z = dense_layer(model, weights, pass, z);
  if (pass.keeps_values()) {
    const Matrix changed = pass.matrix(pass.scratch.pooled, z.rows, z.cols);
    copy_rows(z, changed);
    pass.change(Moment::classifier_input, changed);
    z = changed;
  }
  pass.note(Moment::classifier_input, z);
  return z;
}

ConstMatrix run_head(const Description& model, const Weights& weights, Pass& pass, ConstMatrix x) {
  const bool each_token = model.pooling == Pooling::each_token;
  const std::size_t rows = each_token ? pass.batch.tokens() : pass.batch.texts();
  const Matrix logits = pass.scratch.logits.shape(rows, model.classes());  // [t, c] or [n, c]
  if (!weights.classifier) {
    if (pass.keeps_values()) pass.note(Moment::pooled, pooled(model, pass, x));
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
