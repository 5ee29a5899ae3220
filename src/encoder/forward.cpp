#include "encoder/forward.h"

#include <algorithm>
#include <span>
#include <vector>

#include "encoder/convolution.h"
#include "encoder/embedding.h"
#include "encoder/head.h"
#include "encoder/layer.h"
#include "encoder/pooling.h"
#include "encoder/relative_bias.h"
#include "encoder/rotary.h"

namespace headlight {
namespace {

void keep_hidden(const Pass& pass, ConstMatrix x) {
  if (pass.trace == nullptr || !pass.trace->wants_hidden) return;
  for (std::size_t text = 0; text < pass.batch.texts(); ++text) {
    const ConstMatrix rows = x.row_range(pass.batch.starts()[text], pass.batch.length(text));
    keep_rows(rows, pass.trace->texts[text].hidden.emplace_back());
  }
}

/// The row of each text that pooling reads, if it reads only one and the trace needs no others;
/// else empty.
std::span<const std::size_t> needed_rows(const Description& model, const Pass& pass) {
  std::vector<std::size_t>& rows = pass.scratch.rows;
  rows.clear();
  const Trace* trace = pass.trace;
  const bool shown =
      trace != nullptr && (trace->wants_attention || trace->wants_context || trace->wants_hidden);
  if (shown || pass.cache != nullptr) return rows;
  for (std::size_t text = 0; text < pass.batch.texts(); ++text) {
    const auto row = pooled_row(model, pass.batch.ids_of(text));
    if (row) rows.push_back(pass.batch.starts()[text] + *row);
  }
  return rows;
}

/// What changes the scores of the layer.
void set_scores(const Weights& weights, std::size_t layer, Pass& pass) {
  if (!weights.relative_attention) return;
  pass.relative_scores.tables = &(*weights.relative_attention->tables)[layer];
}

/// Notes the embedded tokens x [n, d], or those that replace them.
Matrix begin_tape(Tape& tape, Matrix x) {
  for (std::size_t i = 0; i < tape.start.rows; ++i) {
    std::copy_n(tape.start.row(i).data(), x.cols, x.row(i).data());
  }
  tape.embedded = x;
  return x;
}

}  // namespace

ConstMatrix encode(const Description& model, const Weights& weights, Pass& pass,
                   std::span<const std::size_t> rows) {
  if (pass.trace != nullptr) pass.trace->texts.assign(pass.batch.texts(), {});
  Matrix x = embed(model, weights.embeddings, pass);  // [n, d]
  if (pass.tape != nullptr) x = begin_tape(*pass.tape, x);
  keep_hidden(pass, x);
  if (pass.part != nullptr) begin_at(*pass.part, x);
  pass.rotary = model.rotary;
  pass.turns = rotary_turns(model.rotary, pass.batch, pass.scratch);
  pass.relative_bias = relative_bias(weights.relative_bias, pass.batch, pass.scratch);
  pass.relative_scores.columns = relative_columns(model, pass.batch, pass.scratch.columns);
  pass.notes().relative_bias = pass.relative_bias;
  pass.notes().turns = pass.turns;
  pass.notes().relative_columns = pass.relative_scores.columns;
  const ConstMatrix convolution = convolve(model, weights, pass, x);  // [n, d], or empty
  for (pass.layer = 0; pass.layer < model.layers.size(); ++pass.layer) {
    if (passes_over(pass)) continue;
    const LayerDescription& layer = model.layers[pass.layer];
    if (&layer == &model.layers.back()) pass.rows = rows;
    set_scores(weights, layer.weights, pass);
    x = run_layer(layer, weights.layers[layer.weights], pass, x);
    if (pass.layer == 0 && weights.convolution) {
      x = add_convolution(weights.convolution->norm, convolution, pass, x);
    }
    keep_hidden(pass, x);
  }
  Tape& notes = pass.notes();
  notes.rows = pass.rows;
  notes.unnormed = x;
  if (weights.final_norm) {
    x = pass.result_of(x);
    layer_norm(*weights.final_norm, notes.unnormed, x);
  }
  notes.encoded = x;
  return x;
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
