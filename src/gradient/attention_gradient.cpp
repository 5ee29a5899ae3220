#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "encoder/rotary.h"
#include "gradient/heads_gradient.h"
#include "gradient/steps.h"
#include "math/function_gradients.h"
#include "model/relative_tables.h"

namespace headlight {
namespace {

/// The gradient of the context, from that of the output; adds those of the output's projection.
ConstMatrix context_gradient(const BackwardPass& pass, const std::optional<Linear>& output,
                             ConstMatrix context, ConstMatrix dy) {
  if (!output) return dy;
  const Matrix out = pass.memory.take(dy.rows, output->in());
  linear_gradient(pass, *output, context, dy, out);
  return out;
}

/// One projection whose heads each read their slice of x: adds its gradients, and that of x to dx.
void slice_gradient(const BackwardPass& pass, const HeadsDescription& heads,
                    const LinearGradient& projection, ConstMatrix x, Matrix dx) {
  std::size_t first = 0;
  for (const std::size_t e : heads.sizes) {
    const BackwardMemory::Frame frame(pass.memory);
    const Linear head = projection.linear->outputs(first, e);
    const ConstMatrix dy = projection.dy.column_range(first, e);
    const Matrix dslice = pass.memory.take(x.rows, e);
    linear_gradient(pass, head, x.column_range(first, e), dy, dslice);
    add(dslice, dx.column_range(first, e));
    first += e;
  }
}

/// Several projections of x, of which dx becomes the gradient. Adds those of their weights.
void projections_gradient(const BackwardPass& pass, const HeadsDescription& heads,
                          std::span<const LinearGradient> projections, ConstMatrix x, Matrix dx) {
  if (heads.input == HeadInput::full) {
    for (const LinearGradient& projection : projections) {
      add_linear_gradient(pass, *projection.linear, x, projection.dy);
    }
    return input_gradient(projections, dx);
  }
  fill_zeros(dx);
  for (const LinearGradient& projection : projections) {
    slice_gradient(pass, heads, projection, x, dx);
  }
}

/// The rows of a text in the gradients of all texts. A bias has rows for each text: [t · h, 2r -
/// 1].
TextAttentionGradient text_gradient(const BackwardPass& pass, const TextAttention& text,
                                    const TextAttentionGradient& all) {
  const std::size_t start = pass.batch.starts()[text.text];
  const std::size_t n = text.key.rows;
  const std::size_t m = text.query.rows;
  const std::size_t first = all.query.rows == pass.batch.tokens() ? start : text.text;
  const std::size_t h = all.relative_bias.rows / pass.batch.texts();
  return {all.out.row_range(first, m),
          all.query.row_range(first, m),
          all.key.row_range(start, n),
          all.value.row_range(start, n),
          all.relative_bias.row_range(text.text * h, h),
          all.relative};
}

/// sum [h, …] += the rows of all texts [t · h, …], in the order of the texts.
void add_texts(ConstMatrix texts, Matrix sum) {
  for (std::size_t first = 0; first < texts.rows; first += sum.rows) {
    add(texts.row_range(first, sum.rows), sum);
  }
}

/// The projected relative embeddings of a layer, and memory for their gradients.
RelativeGradient projected_embeddings(const BackwardPass& pass, const RelativeLinears& linears) {
  RelativeGradient relative;
  const ConstMatrix embeddings = pass.relative_embeddings;
  const auto project_all = [&](const Linear& linear, ConstMatrix& out, Matrix& gradient) {
    const Matrix projected = pass.memory.take(embeddings.rows, linear.out());
    linear.outputs(0, linear.out()).apply(embeddings, projected);
    out = projected;
    gradient = pass.memory.take_zeros(embeddings.rows, linear.out());
  };
  if (linears.key != nullptr) project_all(*linears.key, relative.keys, relative.of_keys);
  if (linears.query != nullptr) {
    project_all(*linears.query, relative.queries, relative.of_queries);
  }
  return relative;
}

/// Adds the gradients of the projections of relative embeddings, and of the embeddings.
void embeddings_gradient(const BackwardPass& pass, const RelativeLinears& linears,
                         const RelativeGradient& relative) {
  if (!pass.gradients.wanted()) return;
  const Matrix sum = pass.memory.take(pass.relative_gradient.rows, pass.relative_gradient.cols);
  const auto add_projection = [&](const Linear* linear, ConstMatrix dy) {
    if (linear == nullptr) return;
    linear_gradient(pass, *linear, pass.relative_embeddings, dy, sum);
    add(sum, pass.relative_gradient);
  };
  add_projection(linears.key, relative.of_keys);
  add_projection(linears.query, relative.of_queries);
}

/// Calls visit(text, key head) for all of them. Threads share them, but one thread has all texts of
/// what the texts add to.
template <typename Visit>
void share_heads(const BackwardPass& pass, const HeadsDescription& heads, const Visit& visit) {
  const std::size_t texts = pass.batch.texts();
  const std::size_t key_heads = heads.key_heads();
  if (pass.relative_embeddings.rows == 0) {
    return share_work(texts * key_heads,
                      [&](std::size_t pair) { visit(pair / key_heads, pair % key_heads); });
  }
  share_work(key_heads, [&](std::size_t head) {
    for (std::size_t text = 0; text < texts; ++text) visit(text, head);
  });
}

/// The gradients of all heads in all texts of layer `index`, from that of their outputs.
void heads_gradient(const BackwardPass& pass, std::size_t index, TextAttentionGradient all) {
  const LayerDescription& layer = pass.model.layers[index];
  const HeadsDescription& heads = layer.heads;
  const Matrix bias = heads.relative_bias ? pass.relative_biases[*heads.relative_bias] : Matrix();
  all.relative_bias = pass.memory.take_zeros(pass.batch.texts() * bias.rows, bias.cols);
  const RelativeLinears linears =
      relative_linears(pass.model, pass.weights.layers[layer.weights].attention);
  all.relative = projected_embeddings(pass, linears);
  share_heads(pass, heads, [&](std::size_t number, std::size_t key_head) {
    const TextAttention& text = pass.tape.attentions[index][number];
    add_head_gradient(heads, key_head, text, text_gradient(pass, text, all));
  });
  if (bias.rows > 0) add_texts(all.relative_bias, bias);
  embeddings_gradient(pass, linears, all.relative);
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

/// Rotates the gradients of queries and keys back: by the angles with the other sign.
void rotate_back(const BackwardPass& pass, const HeadsDescription& heads,
                 const TextAttentionGradient& gradient) {
  if (!heads.rotary) return;
  const Matrix angles = pass.memory.take_copy(pass.tape.positions.rotary[*heads.rotary]);
  const std::size_t pairs = angles.cols / 2;
  for (std::size_t i = 0; i < angles.rows; ++i) {
    for (float& sine : angles.row(i).subspan(pairs)) sine = -sine;
  }
  const bool all = gradient.query.rows == pass.batch.tokens();
  const auto rows = all ? std::span<const std::size_t>() : pass.tape.rows;
  rotate_texts({pass.model.rotary[*heads.rotary], angles, heads.sizes.front()}, {pass.batch, rows},
               gradient.query, gradient.key);
}

/// A product gives each of its factors half: weights · values, and with the half of the weights,
/// queries · keys.
void halve_products(const BackwardPass& pass, const TextAttentionGradient& gradient) {
  if (pass.rules != BackwardRules::relevance) return;
  scale(0.5F, gradient.value);
  scale(0.25F, gradient.query);
  scale(0.25F, gradient.key);
}

/// dcontext, and zeros with the shapes of `query`, `key` and `value`.
TextAttentionGradient no_gradients(const BackwardPass& pass, ConstMatrix dcontext,
                                   ConstMatrix query, ConstMatrix key, ConstMatrix value) {
  return {dcontext, pass.memory.take_zeros(query.rows, query.cols),
          pass.memory.take_zeros(key.rows, key.cols),
          pass.memory.take_zeros(value.rows, value.cols)};
}

}  // namespace

void attention_gradient(const BackwardPass& pass, std::size_t index, ConstMatrix dy, Matrix dx) {
  const BackwardMemory::Frame frame(pass.memory);
  const LayerDescription& layer = pass.model.layers[index];
  const HeadsDescription& heads = layer.heads;
  const AttentionWeights& weights = pass.weights.layers[layer.weights].attention;
  const Values& values = pass.tape.layers[index];
  const ConstMatrix x = values[Moment::attention_normed];
  const ConstMatrix query_input = values[Moment::query_input];
  const ConstMatrix dcontext = context_gradient(pass, weights.output, values[Moment::context], dy);
  add_products(pass, PartKind::head, index, values[Moment::context], dcontext);
  const TextAttentionGradient gradient = no_gradients(pass, dcontext, values[Moment::query],
                                                      values[Moment::key], values[Moment::value]);
  heads_gradient(pass, index, gradient);
  halve_products(pass, gradient);
  rotate_back(pass, heads, gradient);
  norm_heads_gradient(pass, weights.query_norm, values[Moment::raw_query], gradient.query);
  norm_heads_gradient(pass, weights.key_norm, values[Moment::raw_key], gradient.key);

  const std::array<LinearGradient, 3> projections = {{{&weights.key, gradient.key},
                                                      {&weights.value, gradient.value},
                                                      {&weights.query, gradient.query}}};
  const bool all = gradient.query.rows == x.rows;
  if (layer.crosses) {
    const ConstMatrix source = pass.tape.values[Moment::source];
    const Matrix dsource = pass.memory.take(source.rows, source.cols);
    projections_gradient(pass, heads, std::span(projections).first(2), source, dsource);
    add(dsource, pass.source);
    fill_zeros(dx);
  } else {
    projections_gradient(pass, heads, std::span(projections).first(all ? 3 : 2), x, dx);
    if (all) return;
  }
  const Matrix dqueries = pass.memory.take(query_input.rows, query_input.cols);
  projections_gradient(pass, heads, std::span(projections).last(1), query_input, dqueries);
  add_rows(all ? std::span<const std::size_t>() : pass.tape.rows, dqueries, dx);
}

void label_attention_gradient(const BackwardPass& pass, ConstMatrix dz, Matrix dx) {
  const BackwardMemory::Frame frame(pass.memory);
  const HeadsDescription& heads = pass.model.label_heads;
  const LabelAttentionWeights& weights = *pass.weights.label_attention;
  const Values& values = pass.tape.values;
  const ConstMatrix query = values[Moment::label_query];
  const ConstMatrix key = values[Moment::label_key];
  const ConstMatrix value = values[Moment::label_value];
  const ConstMatrix dcontext =
      context_gradient(pass, weights.attention.output, values[Moment::label_context], dz);
  const TextAttentionGradient gradient = no_gradients(pass, dcontext, query, key, value);
  // The texts share the queries, so each head adds up the gradients of all texts.
  const std::size_t classes = query.rows;
  share_work(heads.key_heads(), [&](std::size_t key_head) {
    for (const TextAttention& text : pass.tape.attentions[pass.model.layers.size()]) {
      const std::size_t start = pass.batch.starts()[text.text];
      add_head_gradient(heads, key_head, text,
                        {dcontext.row_range(text.text * classes, classes), gradient.query,
                         gradient.key.row_range(start, text.key.rows),
                         gradient.value.row_range(start, text.key.rows)});
    }
  });
  halve_products(pass, gradient);
  const std::array<LinearGradient, 2> of_tokens = {
      {{&weights.attention.key, gradient.key}, {&weights.attention.value, gradient.value}}};
  projections_gradient(pass, heads, of_tokens, values[Moment::encoded], dx);
  if (!pass.gradients.wanted()) return;
  const std::array<LinearGradient, 1> of_queries = {{{&weights.attention.query, gradient.query}}};
  const Matrix dqueries = pass.memory.take(classes, weights.queries.cols);
  projections_gradient(pass, heads, of_queries, weights.queries, dqueries);
  add(dqueries, pass.gradients.of(weights.queries));
}

}  // namespace headlight
