#include "gradient/attention_gradient.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "encoder/rotary.h"
#include "gradient/heads_gradient.h"
#include "math/function_gradients.h"

namespace headlight {
namespace {

/// The gradients of queries, keys and values.
struct Projected {
  Matrix query;  // [m, H]
  Matrix key;    // [n, H/g]
  Matrix value;  // [n, H/g]
};

/// The gradient of the context, from that of the output; adds those of the output's projection.
ConstMatrix context_gradient(const BackwardPass& pass, const std::optional<Linear>& output,
                             ConstMatrix context, ConstMatrix dy) {
  if (!output) return dy;
  add_linear_gradient(pass, *output, context, dy);
  const Matrix out = pass.memory.take(dy.rows, output->in());
  const std::array<LinearGradient, 1> alone = {{{&*output, dy}}};
  input_gradient(alone, out);
  return out;
}

/// The position of each query row and key row of a text in a layer.
TextAttention text_attention(const BackwardPass& pass, const AttentionTape& notes,
                             std::size_t layer, std::size_t text) {
  const std::size_t start = pass.batch.starts()[text];
  const std::size_t count = pass.batch.length(text);
  const bool last = layer + 1 == pass.model.layers.size();
  TextAttention attention;
  if (last && !pass.tape.rows.empty()) {
    attention.query = notes.query.row_range(text, 1);
    attention.first_position = pass.tape.rows[text] - start;
  } else {
    attention.query = notes.query.row_range(start, count);
  }
  attention.key = notes.key.row_range(start, count);
  attention.value = notes.value.row_range(start, count);
  attention.relative_bias = pass.tape.relative_bias;
  attention.dropout = attention_dropout(pass.tape.dropout, layer, text);
  return attention;
}

/// The rows of a text in the gradients.
TextAttentionGradient text_gradient(const BackwardPass& pass, const TextAttention& text,
                                    std::size_t number, ConstMatrix dcontext,
                                    const Projected& gradient) {
  const std::size_t start = pass.batch.starts()[number];
  const std::size_t count = text.key.rows;
  const std::size_t queries = text.query.rows;
  const std::size_t first = gradient.query.rows == pass.batch.tokens() ? start : number;
  return {dcontext.row_range(first, queries),
          gradient.query.row_range(first, queries),
          gradient.key.row_range(start, count),
          gradient.value.row_range(start, count),
          {}};
}

/// Adds the gradients of the biases of all texts [t · h, 2r - 1] to those of the pass, in the order
/// of the texts.
void add_biases(const BackwardPass& pass, ConstMatrix biases) {
  const std::size_t h = pass.relative_bias.rows;
  for (std::size_t first = 0; first < biases.rows; first += h) {
    add(biases.row_range(first, h), pass.relative_bias);
  }
}

/// The gradients of all heads in all texts of layer `index`.
void heads_gradient(const BackwardPass& pass, std::size_t index, ConstMatrix dcontext,
                    const Projected& gradient) {
  const HeadsDescription& heads = pass.model.layers[index].heads;
  const std::size_t h = heads.sizes.size();
  const std::size_t texts = pass.batch.texts();
  const bool biased = pass.relative_bias.rows > 0;
  const Matrix biases = pass.memory.take_zeros(biased ? texts * h : 0, pass.relative_bias.cols);
  share_work(texts * heads.key_heads(), [&](std::size_t part) {
    const std::size_t number = part / heads.key_heads();
    TextAttention text = text_attention(pass, pass.tape.layers[index].attention, index, number);
    TextAttentionGradient own = text_gradient(pass, text, number, dcontext, gradient);
    text.out = own.query;  // is not written
    if (biased) own.relative_bias = biases.row_range(number * h, h);
    add_head_gradient(heads, part % heads.key_heads(), text, own);
  });
  if (biased) add_biases(pass, biases);
}

/// The gradient of the normed heads x [m, H] becomes that of their argument.
void norm_heads_gradient(const BackwardPass& pass, const std::optional<LayerNorm>& norm,
                         ConstMatrix raw, Matrix dy) {
  if (!norm) return;
  const std::size_t e = norm->gain.size();
  for (std::size_t first = 0; first < dy.cols; first += e) {
    const Matrix head = dy.column_range(first, e);
    norm_gradient(pass, *norm, raw.column_range(first, e), head, head);
  }
}

/// Turns the gradients of queries and keys back by their positions.
void rotate_back(const BackwardPass& pass, const HeadsDescription& heads,
                 const Projected& gradient) {
  if (!heads.rotary) return;
  const Rotary& kind = pass.model.rotary[*heads.rotary];
  const ConstMatrix turns = pass.tape.turns[*heads.rotary];
  const Matrix back = pass.memory.take_copy(turns);
  const std::size_t pairs = back.cols / 2;
  for (std::size_t i = 0; i < back.rows; ++i) {
    for (float& sine : back.row(i).subspan(pairs)) sine = -sine;
  }
  const std::size_t e = heads.sizes.front();
  const bool all = gradient.query.rows == pass.batch.tokens();
  share_work(pass.batch.texts(), [&](std::size_t text) {
    const std::size_t start = pass.batch.starts()[text];
    const std::size_t count = pass.batch.length(text);
    rotate_heads(kind, back, e, gradient.key.row_range(start, count));
    if (all) return rotate_heads(kind, back, e, gradient.query.row_range(start, count));
    const ConstMatrix own = back.row_range(pass.tape.rows[text] - start, 1);
    rotate_heads(kind, own, e, gradient.query.row_range(text, 1));
  });
}

/// One projection whose heads each read their slice of x: adds its gradients, and that of x to dx.
void slice_gradient(const BackwardPass& pass, const HeadsDescription& heads,
                    const LinearGradient& projection, ConstMatrix x, Matrix dx) {
  std::size_t first = 0;
  for (const std::size_t e : heads.sizes) {
    const BackwardMemory::Frame frame(pass.memory);
    const Linear own = projection.linear->outputs(first, e);
    const ConstMatrix dy = projection.dy.column_range(first, e);
    add_linear_gradient(pass, own, x.column_range(first, e), dy);
    const Matrix dslice = pass.memory.take(x.rows, e);
    const std::array<LinearGradient, 1> alone = {{{&own, dy}}};
    input_gradient(alone, dslice);
    add(dslice, dx.column_range(first, e));
    first += e;
  }
}

/// Several projections of x, of which dx becomes the gradient.
void projections_gradient(const BackwardPass& pass, const HeadsDescription& heads,
                          std::span<const LinearGradient> projections, ConstMatrix x, Matrix dx) {
  if (heads.input == HeadInput::full) {
    for (const LinearGradient& projection : projections) {
      add_linear_gradient(pass, *projection.linear, x, projection.dy);
    }
    return input_gradient(projections, dx);
  }
  for (std::size_t i = 0; i < dx.rows; ++i) std::fill_n(dx.row(i).data(), dx.cols, 0.0F);
  for (const LinearGradient& projection : projections) {
    slice_gradient(pass, heads, projection, x, dx);
  }
}

}  // namespace

void attention_gradient(const BackwardPass& pass, std::size_t index, ConstMatrix dy, Matrix dx) {
  const BackwardMemory::Frame frame(pass.memory);
  const LayerDescription& layer = pass.model.layers[index];
  const HeadsDescription& heads = layer.heads;
  const AttentionWeights& weights = pass.weights.layers[layer.weights].attention;
  const LayerTape& notes = pass.tape.layers[index];
  const AttentionTape& own = notes.attention;
  const ConstMatrix x = notes.attention_sublayer.in;
  const ConstMatrix dcontext = context_gradient(pass, weights.output, own.context, dy);
  const Projected gradient{pass.memory.take_zeros(own.query.rows, own.query.cols),
                           pass.memory.take_zeros(own.key.rows, own.key.cols),
                           pass.memory.take_zeros(own.value.rows, own.value.cols)};
  heads_gradient(pass, index, dcontext, gradient);
  rotate_back(pass, heads, gradient);
  norm_heads_gradient(pass, weights.query_norm, own.raw_query, gradient.query);
  norm_heads_gradient(pass, weights.key_norm, own.raw_key, gradient.key);

  const std::array<LinearGradient, 3> projections = {{{&weights.key, gradient.key},
                                                      {&weights.value, gradient.value},
                                                      {&weights.query, gradient.query}}};
  const bool all = gradient.query.rows == x.rows;
  projections_gradient(pass, heads, std::span(projections).first(all ? 3 : 2), x, dx);
  if (all) return;
  const Matrix dqueries = pass.memory.take(own.queries_in.rows, own.queries_in.cols);
  projections_gradient(pass, heads, std::span(projections).last(1), own.queries_in, dqueries);
  add_rows(pass.tape.rows, dqueries, dx);
}

void label_attention_gradient(const BackwardPass& pass, ConstMatrix dz, Matrix dx) {
  const BackwardMemory::Frame frame(pass.memory);
  const HeadsDescription& heads = pass.model.label_heads;
  const LabelAttentionWeights& weights = *pass.weights.label_attention;
  const AttentionTape& notes = pass.tape.head.labels;
  const ConstMatrix dcontext = context_gradient(pass, weights.attention.output, notes.context, dz);
  const Projected gradient{pass.memory.take_zeros(notes.query.rows, notes.query.cols),
                           pass.memory.take_zeros(notes.key.rows, notes.key.cols),
                           pass.memory.take_zeros(notes.value.rows, notes.value.cols)};
  // The texts share the queries, so each head adds up the gradients of all texts.
  const std::size_t classes = notes.query.rows;
  share_work(heads.key_heads(), [&](std::size_t key_head) {
    for (std::size_t number = 0; number < pass.batch.texts(); ++number) {
      const std::size_t start = pass.batch.starts()[number];
      const std::size_t count = pass.batch.length(number);
      TextAttention text;
      text.query = notes.query;
      text.key = notes.key.row_range(start, count);
      text.value = notes.value.row_range(start, count);
      text.out = gradient.query;  // is not written
      add_head_gradient(
          heads, key_head, text,
          {dcontext.row_range(number * classes, classes), gradient.query,
           gradient.key.row_range(start, count), gradient.value.row_range(start, count), Matrix()});
    }
  });
  const std::array<LinearGradient, 2> of_tokens = {
      {{&weights.attention.key, gradient.key}, {&weights.attention.value, gradient.value}}};
  projections_gradient(pass, heads, of_tokens, pass.tape.encoded, dx);
  if (!pass.gradients.wanted()) return;
  const std::array<LinearGradient, 1> of_queries = {{{&weights.attention.query, gradient.query}}};
  const Matrix dqueries = pass.memory.take(classes, weights.queries.cols);
  projections_gradient(pass, heads, of_queries, weights.queries, dqueries);
  add(dqueries, pass.gradients.of(weights.queries));
}

}  // namespace headlight
