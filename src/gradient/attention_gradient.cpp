#include "gradient/attention_gradient.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "encoder/rotary.h"
#include "gradient/heads_gradient.h"
#include "gradient/projection_gradient.h"
#include "math/function_gradients.h"
#include "model/relative_tables.h"

namespace headlight {
namespace {

/// The gradients of queries, keys and values.
struct Projected {
  Matrix query;  // [m, H]
  Matrix key;    // [n, H/g]
  Matrix value;  // [n, H/g]
};

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
  if (pass.weights.relative_attention) {
    const std::size_t weights = pass.model.layers[layer].weights;
    attention.relative_scores = {&(*pass.weights.relative_attention->tables)[weights],
                                 pass.tape.relative_columns};
  }
  return attention;
}

/// The gradients of the heads of all texts. What texts share is kept for each of them: t · h rows.
struct HeadsGradient {
  ConstMatrix context;        // [m, H]
  Projected projected;        // of queries, keys and values
  Matrix biases;              // [t · h, 2r - 1]
  RelativeGradient relative;  // of all texts
};

/// The rows of a text in the gradients.
TextAttentionGradient text_gradient(const BackwardPass& pass, const TextAttention& text,
                                    std::size_t number, std::size_t h,
                                    const HeadsGradient& gradient) {
  const std::size_t start = pass.batch.starts()[number];
  const std::size_t count = text.key.rows;
  const std::size_t queries = text.query.rows;
  const Projected& projected = gradient.projected;
  const std::size_t first = projected.query.rows == pass.batch.tokens() ? start : number;
  TextAttentionGradient own{
      gradient.context.row_range(first, queries), projected.query.row_range(first, queries),
      projected.key.row_range(start, count), projected.value.row_range(start, count)};
  if (gradient.biases.rows > 0) own.relative_bias = gradient.biases.row_range(number * h, h);
  own.relative = gradient.relative;
  return own;
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
                      [&](std::size_t part) { visit(part / key_heads, part % key_heads); });
  }
  share_work(key_heads, [&](std::size_t head) {
    for (std::size_t text = 0; text < texts; ++text) visit(text, head);
  });
}

/// The gradients of all heads in all texts of layer `index`, from that of their outputs.
void heads_gradient(const BackwardPass& pass, std::size_t index, ConstMatrix dcontext,
                    const Projected& projected) {
  const LayerDescription& layer = pass.model.layers[index];
  const HeadsDescription& heads = layer.heads;
  const AttentionWeights& weights = pass.weights.layers[layer.weights].attention;
  const std::size_t h = heads.sizes.size();
  const std::size_t rows = pass.batch.texts() * h;
  HeadsGradient gradient{dcontext, projected, {}, {}};
  gradient.biases =
      pass.memory.take_zeros(pass.relative_bias.rows > 0 ? rows : 0, pass.relative_bias.cols);
  const RelativeLinears linears = relative_linears(pass.model, weights);
  gradient.relative = projected_embeddings(pass, linears);
  share_heads(pass, heads, [&](std::size_t number, std::size_t key_head) {
    TextAttention text = text_attention(pass, pass.tape.layers[index].attention, index, number);
    const TextAttentionGradient own = text_gradient(pass, text, number, h, gradient);
    text.out = own.query;  // is not written
    add_head_gradient(heads, key_head, text, own);
  });
  if (pass.relative_bias.rows > 0) add_texts(gradient.biases, pass.relative_bias);
  embeddings_gradient(pass, linears, gradient.relative);
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
