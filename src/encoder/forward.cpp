#include "encoder/forward.h"

#include <span>
#include <vector>

#include "encoder/embedding.h"
#include "encoder/head.h"
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
    std::vector<float>& kept = trace->texts[text].hidden.emplace_back();
    for (std::size_t i = 0; i < rows.rows; ++i) {
      kept.insert(kept.end(), rows.row(i).begin(), rows.row(i).end());
    }
  }
}

/// The row of each text that pooling reads, where it reads one and nobody asked to see the others;
/// else none.
std::span<const std::size_t> needed_rows(const Description& model, const Batch& batch,
                                         const Trace* trace, Scratch& scratch) {
  scratch.rows.clear();
  const bool shown = trace != nullptr && (trace->wants_attention || trace->wants_hidden);
  for (std::size_t text = 0; text < batch.texts() && !shown; ++text) {
    const auto row = pooled_row(model.pooling, batch.length(text));
    if (row) scratch.rows.push_back(batch.starts()[text] + *row);
  }
  return scratch.rows;
}

}  // namespace

ConstMatrix forward(const Description& model, const Weights& weights, const Batch& batch,
                    Scratch& scratch, Trace* trace) {
  if (trace != nullptr) trace->texts.assign(batch.texts(), {});
  Matrix x = scratch.hidden.shape(batch.tokens(), model.hidden_size);  // [n, d]
  embed(model, weights.embeddings, batch, scratch, x);
  keep_hidden(batch, x, trace);
  const LayerInput input{batch, relative_bias(weights.relative_bias, batch, scratch)};
  const auto needed = needed_rows(model, batch, trace, scratch);
  for (const LayerDescription& layer : model.layers) {
    const bool last = &layer == &model.layers.back();
    x = run_layer(layer, weights.layers[layer.weights], input,
                  last ? needed : std::span<const std::size_t>(), scratch, trace, x);
    keep_hidden(batch, x, trace);
  }
  if (weights.final_norm) layer_norm(*weights.final_norm, x, x);

  const Matrix logits = scratch.logits.shape(batch.texts(), model.classes());  // [t, c]
  if (!weights.classifier) return logits;
  if (weights.label_attention) {
    label_attention_logits(model, weights, input, scratch, trace, x, logits);
  } else if (!needed.empty() && !model.layers.empty()) {
    apply_head(model, weights, scratch, x, logits);
  } else {
    const Matrix z = scratch.pooled.shape(batch.texts(), x.cols);  // [t, d]
    pool(model.pooling, batch.starts(), x, z);
    apply_head(model, weights, scratch, z, logits);
  }
  return logits;
}

}  // namespace headlight
