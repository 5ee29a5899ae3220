#include "encoder/forward.h"

#include <algorithm>
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

/// The encoder's vectors x [n, d] become pass.source. Returns the embedded tokens of the decoder
/// [n, d].
Matrix begin_decoder(const Description& model, const Weights& weights, Pass& pass, Matrix x) {
  Scratch& scratch = pass.scratch;
  if (weights.encoder_norm) x = pass.normed(*weights.encoder_norm, Moment::source_unnormed, x);
  const Matrix source = pass.matrix(scratch.source, x.rows, x.cols);
  copy_rows(x, source);
  pass.source = source;
  pass.note(Moment::source, source);
  x = embed_target(model, weights, pass.batch, scratch);
  pass.change(Moment::target_embedded, x);
  pass.note(Moment::target_embedded, x);
  return x;
}

}  // namespace

TokenId first_target(const Description& model, std::span<const TokenId> ids) {
  if (model.decoder->start) return *model.decoder->start;
  const auto pads = static_cast<std::size_t>(std::ranges::count(ids, model.pad_token_id));
  return ids[pads < ids.size() ? ids.size() - pads - 1 : ids.size() - 1];
}

Matrix embed_target(const Description& model, const Weights& weights, const Batch& batch,
                    Scratch& scratch) {
  scratch.target.clear();
  for (std::size_t text = 0; text < batch.texts(); ++text) {
    const auto ids = batch.ids_of(text);
    scratch.target.add_shifted(ids, first_target(model, ids));
  }
  EmbeddingWeights embeddings = *weights.decoder_embeddings;
  embeddings.token = weights.embeddings.token;
  Pass target{scratch.target, scratch};
  return embed(model, embeddings, target);
}

ConstMatrix encode(const Description& model, const Weights& weights, Pass& pass,
                   std::span<const std::size_t> rows) {
  pass.model = &model;
  pass.positions = position_tables(model, weights.relative_biases, pass.batch, pass.scratch);
  Matrix x = embed(model, weights.embeddings, pass);                  // [n, d]
  const ConstMatrix convolution = convolve(model, weights, pass, x);  // [n, d], or empty
  for (pass.layer = 0; pass.layer < model.layers.size(); ++pass.layer) {
    if (model.decoder && pass.layer == model.decoder->first) {
      x = begin_decoder(model, weights, pass, x);  // [n, d]
    }
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
