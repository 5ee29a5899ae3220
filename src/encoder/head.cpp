#include "encoder/head.h"

namespace headlight {

void apply_head(const Description& model, const Weights& weights, Scratch& scratch, ConstMatrix z,
                Matrix logits) {
  if (weights.head_dense) {
    const Matrix dense = scratch.dense.shape(z.rows, weights.head_dense->out());  // [t, d]
    weights.head_dense->apply(z, dense, *model.head_dense);
    z = dense;
  }
  weights.classifier->apply(z, logits);
}

}  // namespace headlight
