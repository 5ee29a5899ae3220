#include "encoder/attention.h"

#include <array>
#include <vector>

#include "encoder/dot_product_attention.h"
#include "encoder/rotary.h"

namespace headlight {
namespace {

/// LN of each head of queries or keys x [m, H], the value `raw`.
Matrix norm_heads(const std::optional<LayerNorm>& norm, Moment raw, const Pass& pass, Matrix x) {
  pass.note(raw, x);
  if (!norm) return x;
  const Matrix normed = pass.result_of(x);
  const std::size_t e = norm->gain.size();
  for (std::size_t first = 0; first < x.cols; first += e) {
    layer_norm(*norm, x.column_range(first, e), normed.column_range(first, e));
  }
  return normed;
}

struct Projected {
  ConstMatrix query;  // [m, H]
  ConstMatrix key;    // [n, H/g]
  ConstMatrix value;  // [n, H/g]
};

/// Q, K and V of x [n, d], or K and V of the encoder's vectors, with the norms of the heads and
/// rotary positions.
Projected queries_keys_values(const HeadsDescription& heads, const AttentionWeights& weights,
                              Pass& pass, ConstMatrix x) {
  Scratch& scratch = pass.scratch;
  const bool crosses = pass.model->layers[pass.layer].crosses;
  const ConstMatrix source = crosses ? pass.source : x;
  const bool at_once = pass.rows.empty() && !crosses;
  const ConstMatrix query_input = pass.selected(scratch.selected_normed, x);        // [m, d]
  Matrix query = pass.matrix(scratch.query, query_input.rows, heads.width());       // [m, H]
  Matrix key = pass.matrix(scratch.key, source.rows, heads.key_width());            // [n, H/g]
  const Matrix value = pass.matrix(scratch.value, source.rows, heads.key_width());  // [n, H/g]
  const std::array<LinearOutput, 3> projections = {
      {{&weights.key, key}, {&weights.value, value}, {&weights.query, query}}};
  project(heads, std::span(projections).first(at_once ? 3 : 2), source);
  if (!at_once) project(heads, std::span(projections).last(1), query_input);

  query = norm_heads(weights.query_norm, Moment::raw_query, pass, query);
  key = norm_heads(weights.key_norm, Moment::raw_key, pass, key);
  if (heads.rotary) {
    const std::size_t kind = *heads.rotary;
    rotate_texts({pass.model->rotary[kind], pass.positions.rotary[kind], heads.sizes.front()},
                 {pass.batch, pass.rows}, query, key);
  }
  pass.note(Moment::query_input, query_input);
  pass.note(Moment::query, query);
  pass.note(Moment::key, key);
  pass.note(Moment::value, value);
  return {query, key, value};
}

/// Each text attends to itself, into its rows of `context` [m, H].
void self_attention(const HeadsDescription& heads, const Projected& projected, Pass& pass,
                    Matrix context) {
  const Batch& batch = pass.batch;
  std::vector<TextAttention>& attentions = pass.scratch.attentions;
  attentions.clear();
  for (std::size_t text = 0; text < batch.texts(); ++text) {
    const std::size_t start = batch.starts()[text];
    const std::size_t n = batch.length(text);
    const bool one = !pass.rows.empty();
    const std::size_t first = one ? text : start;  // row of the first query
    const std::size_t m = one ? 1 : n;
    TextAttention& attention = attentions.emplace_back();
    attention.text = text;
    attention.query = projected.query.row_range(first, m);
    attention.key = projected.key.row_range(start, n);
    attention.value = projected.value.row_range(start, n);
    attention.first_position = batch.first_position() + (one ? pass.rows[text] - start : 0);
    if (heads.relative_bias) {
      attention.relative_bias = pass.positions.relative_biases[*heads.relative_bias];
    }
    attention.relative_scores = {pass.relative_tables, pass.positions.relative_columns};
    attention.out = context.row_range(first, m);
  }
  attend_texts(heads, Moment::context, pass, context);
}

}  // namespace

Matrix multi_head_attention(const HeadsDescription& heads, const AttentionWeights& weights,
                            Pass& pass, ConstMatrix x) {
  Scratch& scratch = pass.scratch;
  Buffer& memory = weights.output ? scratch.context : scratch.hidden.next;
  const std::size_t m = pass.rows.empty() ? x.rows : pass.rows.size();
  const Matrix context = pass.matrix(memory, m, heads.width());  // [m, H]
  if (!pass.provides(Moment::context, context)) {
    self_attention(heads, queries_keys_values(heads, weights, pass, x), pass, context);
  }
  pass.change(Moment::context, context);
  return project_context(weights.output, pass, context, scratch.hidden.next);
}

void project(const HeadsDescription& heads, std::span<const LinearOutput> projections,
             ConstMatrix x) {
  if (heads.input == HeadInput::full) return apply_all(projections, x);
  for (const LinearOutput& projection : projections) {
    std::size_t first = 0;
    for (const std::size_t e : heads.sizes) {
      // [e, e]: this head's rows
      projection.linear->outputs(first, e).apply(x.column_range(first, e),
                                                 projection.y.column_range(first, e));
      first += e;
    }
  }
}

void attend_texts(const HeadsDescription& heads, Moment moment, const Pass& pass,
                  ConstMatrix context) {
  if (pass.observer != nullptr) pass.observer->attend(pass, moment, pass.scratch.attentions);
  attend(heads, pass.scratch.attentions);
  pass.note(moment, context);
}

Matrix project_context(const std::optional<Linear>& output, const Pass& pass, Matrix context,
                       Buffer& memory) {
  if (!output) return context;
  const Matrix projected = pass.matrix(memory, context.rows, output->out());
  output->apply(context, projected);
  return projected;
}

}  // namespace headlight
