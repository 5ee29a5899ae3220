#include "encoder/forward.h"

#include <numeric>

#include "encoder/embedding.h"
#include "encoder/label_attention.h"
#include "encoder/layer.h"
#include "encoder/pooling.h"
#include "encoder/relative_bias.h"

namespace headlight {
namespace {

void keep_hidden(const Batch& batch, ConstMatrix x, Trace* trace) {
  if (trace == nullptr || !trace->wants_hidden) return;
  for (std::size_t text = 0; text < batch.texts(); ++text) {
    const ConstMatrix rows = x.row_range(batch.starts()[text], batch.length(text));
    trace->texts[text].hidden.emplace_back(rows.data, rows.data + rows.rows * rows.cols);
  }
}

/// z [t, d] → logits [t, c]; every text is a row, and a product, of its own.
void classify(const Weights& weights, const Description& model, Scratch& scratch, ConstMatrix z,
              Matrix logits) {
  scratch.text_rows.resize(z.rows + 1);
  std::iota(scratch.text_rows.begin(), scratch.text_rows.end(), std::size_t{0});
  if (weights.head_dense) {
    const Matrix dense = scratch.dense.shape(z.rows, weights.head_dense->out());  // [t, d]
    weights.head_dense->apply(scratch.text_rows, z, dense, *model.head_dense);
    z = dense;
  }
  weights.classifier->apply(scratch.text_rows, z, logits);
}

}  // namespace

ConstMatrix forward(const Description& model, const Weights& weights, const Batch& batch,
                    Scratch& scratch, Trace* trace) {
  if (trace != nullptr) trace->texts.assign(batch.texts(), {});
  Matrix x = scratch.hidden.shape(batch.tokens(), model.hidden_size);  // [n, d]
  embed(model, weights.embeddings, batch, scratch, x);
  keep_hidden(batch, x, trace);
  const LayerInput input{batch, relative_bias(weights.relative_bias, batch, scratch)};
  for (const LayerDescription& layer : model.layers) {
    x = run_layer(layer, weights.layers[layer.weights], input, scratch, trace, x);
    keep_hidden(batch, x, trace);
  }
  if (weights.final_norm) layer_norm(*weights.final_norm, x, x);

  const Matrix logits = scratch.logits.shape(batch.texts(), model.classes());  // [t, c]
  if (!weights.classifier) return logits;
  if (weights.label_attention) {
    label_attention_logits(model, weights, batch, scratch, trace, x, logits);
  } else {
    const Matrix z = scratch.pooled.shape(batch.texts(), x.cols);  // [t, d]
    pool(model.pooling, batch.starts(), x, z);
    classify(weights, model, scratch, z, logits);
  }
  return logits;
}

}  // namespace headlight
