#include "encoder/head.h"

#include "encoder/label_attention.h"
#include "encoder/pooling.h"

namespace headlight {
namespace {

/// The vector of each text, [t, d], or of each token, [n, d].
ConstMatrix pooled(const Description& model, Pass& pass, ConstMatrix x) {
  if (model.pooling == Pooling::each_token) return x;
  if (!pass.rows.empty()) return x;  // the layers computed only these rows
  const Matrix z = pass.scratch.pooled.shape(pass.batch.texts(), x.cols);
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
  const Matrix dense = pass.scratch.dense.shape(x.rows, weights.head_dense->out());
  weights.head_dense->apply(x, dense, *model.head_dense);
  if (weights.head_norm) layer_norm(*weights.head_norm, dense, dense);
  return dense;
}

}  // namespace

ConstMatrix classifier_input(const Description& model, const Weights& weights, Pass& pass,
                             ConstMatrix x) {
  if (model.head_dense_first) return pooled(model, pass, dense_layer(model, weights, pass, x));
  return dense_layer(model, weights, pass, pooled(model, pass, x));
}

ConstMatrix run_head(const Description& model, const Weights& weights, Pass& pass, ConstMatrix x) {
  const bool each_token = model.pooling == Pooling::each_token;
  const std::size_t rows = each_token ? pass.batch.tokens() : pass.batch.texts();
  const Matrix logits = pass.scratch.logits.shape(rows, model.classes());  // [t, c] or [n, c]
  if (!weights.classifier) return logits;
  if (weights.label_attention) {
    label_attention_logits(model.label_heads, weights, pass, x, logits);
    return logits;
  }
  const ConstMatrix z = classifier_input(model, weights, pass, x);  // [t, d]
  weights.classifier->apply(z, logits);
  return logits;
}

}  // namespace headlight
