#include "encoder/forward.h"

#include <span>
#include <vector>

#include "encoder/convolution.h"
#include "encoder/embedding.h"
#include "encoder/head.h"
#include "encoder/layer.h"
#include "encoder/pooling.h"

namespace headlight {
namespace {

/// The row of each text that pooling reads, if it reads only one and the observer no others; else
/// empty.
std::span<const std::size_t> needed_rows(const Description& model, const Pass& pass) {
  std::vector<std::size_t>& rows = pass.scratch.rows;
  rows.clear();
  if (pass.reads_all_rows() || model.label_reading) return rows;
  for (std::size_t text = 0; text < pass.batch.texts(); ++text) {
    const auto row = pooled_row(model, pass.batch.ids_of(text));
    if (row) rows.push_back(pass.batch.starts()[text] + *row);
  }
  return rows;
}

}  // namespace

ConstMatrix encode(const Description& model, const Weights& weights, Pass& pass,
                   std::span<const std::size_t> rows) {
  pass.model = &model;
  pass.positions = position_tables(model, weights.relative_bias, pass.batch, pass.scratch);
  Matrix x = embed(model, weights.embeddings, pass);                  // [n, d]
  const ConstMatrix convolution = convolve(model, weights, pass, x);  // [n, d], or empty
  for (pass.layer = 0; pass.layer < model.layers.size(); ++pass.layer) {
    if (pass.provides(Moment::layer_output, x)) continue;
    const LayerDescription& layer = model.layers[pass.layer];
    if (&layer == &model.layers.back()) pass.rows = rows;
    if (weights.relative_attention) {
      pass.relative_tables = &(*weights.relative_attention->tables)[layer.weights];
    }
    x = run_layer(layer, weights.layers[layer.weights], pass, x);
    if (pass.layer == 0 && weights.convolution) {
      x = add_convolution(weights.convolution->norm, convolution, pass, x);
    }
    pass.note(Moment::layer_output, x);
  }
  if (weights.final_norm) x = pass.normed(*weights.final_norm, Moment::unnormed, x);
  pass.note(Moment::encoded, x);
  return x;  // [n, d], or [t, d]
}

ConstMatrix classifier_inputs(const Description& model, const Weights& weights, Pass pass) {
  const ConstMatrix x = encode(model, weights, pass, needed_rows(model, pass));
  return classifier_input(model, weights, pass, x);  // [t, d]
}

ConstMatrix forward(const Description& model, const Weights& weights, Pass pass) {
  const ConstMatrix x = encode(model, weights, pass, needed_rows(model, pass));
  return run_head(model, weights, pass, x);  // [t, c] or [n, c]
}

}  // namespace headlight
