#include "inside/attention_steps.h"

#include <limits>
#include <optional>
#include <span>

#include "encoder/ablation.h"
#include "encoder/attention_head.h"
#include "inside/layer_kind.h"

namespace headlight {

AttentionScoring::AttentionScoring(const Model& model, std::size_t n)
    : layers_(model.description.layers) {
  const auto& relative = model.weights.relative_attention;
  if (relative) relative_tables_ = relative->tables;
  Description positions;  // without rotary ones, which queries and keys have
  positions.relative_attention = model.description.relative_attention;
  positions.relative_biases = model.description.relative_biases;
  Batch batch;
  batch.add(std::vector<TokenId>(n), std::vector<TokenId>(n));
  positions_ = position_tables(positions, model.weights.relative_biases, batch, memory_);
}

AttentionSteps AttentionScoring::steps(const TracedHead& traced, std::size_t query) const {
  const LayerDescription& layer = layers_[traced.layer];
  const std::size_t n = traced.keys.rows;
  HeadsDescription alone = layer.heads;
  alone.sizes = {traced.queries.cols};
  alone.group = 1;
  TextAttention text;
  text.query = traced.queries.row_range(query, 1);
  text.key = traced.keys;
  text.value = traced.values;
  text.first_position = query;
  Head head = head_of(alone, 0, text);  // without relative scores and bias
  Buffer key_memory;
  Buffer memory;
  const Panels keys = packed_keys(head, key_memory);
  const Matrix row = memory.shape(1, n);
  AttentionSteps steps;
  steps.scale = head.scale;
  score_block(head, 0, keys, {0, n}, row);
  steps.products.assign(row.data, row.data + n);

  if (relative_tables_) {
    head.relative =
        relative_head(layer.heads, traced.number, columns_of(layer.heads, traced.number).first,
                      {&(*relative_tables_)[layer.weights], positions_.relative_columns});
    score_block(head, 0, keys, {0, n}, row);
  }
  if (const auto& bias = layer.heads.relative_bias) {
    head.bias = positions_.relative_biases[*bias].row(traced.number);
  }
  const KeyRange seen = visible_keys(head, query, n);
  const std::span<const float> bias = bias_of_keys(head, query, seen);
  steps.scores.assign(n, -std::numeric_limits<float>::infinity());
  for (std::size_t key = seen.first; key < seen.last; ++key) {
    const float added = bias.empty() ? 0.0F : bias[key - seen.first];
    steps.scores[key] = row.data[key] * head.scale + added;
  }
  steps.output.resize(traced.values.cols);
  multiply(traced.weights.row_range(query, 1), traced.values,
           Matrix(steps.output.data(), 1, steps.output.size()));
  return steps;
}

HeadSteps head_steps(const Model& model, const TextTrace& trace, std::size_t n, std::size_t layer,
                     std::size_t head, std::size_t query) {
  const HeadsDescription& heads = model.description.layers[layer].heads;
  const auto [first, e] = columns_of(heads, head);
  const auto rows = [&, from = first, count = e](const std::vector<float>& all) {
    return ConstMatrix(all.data(), n, heads.width()).column_range(from, count);
  };
  const TracedHead traced{layer,
                          head,
                          rows(trace.queries[layer]),
                          rows(trace.keys[layer]),
                          rows(trace.values[layer]),
                          {trace.attention[layer].data() + head * n * n, n, n}};
  HeadSteps steps;
  static_cast<AttentionSteps&>(steps) = AttentionScoring(model, n).steps(traced, query);
  steps.layer = layer;
  steps.head = head;
  steps.query = query;
  const LayerKind kind = kind_of_layer(model.description, layer);
  steps.target_query = kind != LayerKind::encoder;
  steps.target_keys = kind == LayerKind::decoder;
  keep_rows(traced.queries.row_range(query, 1), steps.vector);
  keep_rows(traced.keys, steps.keys);
  keep_rows(traced.values, steps.values);
  keep_rows(traced.weights.row_range(query, 1), steps.weights);
  return steps;
}

LayerSteps layer_steps(const Model& model, const TextTrace& trace, std::size_t n, std::size_t layer,
                       std::size_t query) {
  LayerSteps steps;
  const std::size_t heads = model.description.layers[layer].heads.sizes.size();
  for (std::size_t head = 0; head < heads; ++head) {
    steps.heads.push_back(head_steps(model, trace, n, layer, head, query));
    const std::vector<float>& output = steps.heads.back().output;
    steps.joined.insert(steps.joined.end(), output.begin(), output.end());
  }
  const std::optional<Linear>& projection =
      model.weights.layers[model.description.layers[layer].weights].attention.output;
  if (!projection) return steps;
  steps.projected.resize(projection->out());
  projection->apply({steps.joined.data(), 1, steps.joined.size()},
                    {steps.projected.data(), 1, steps.projected.size()});
  return steps;
}

}  // namespace headlight
