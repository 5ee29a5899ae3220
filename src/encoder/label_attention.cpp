#include "encoder/label_attention.h"

#include <algorithm>
#include <array>

#include "encoder/attention.h"

namespace headlight {
namespace {

// Number of class vectors computed together; limits the memory for models with many classes.
constexpr std::size_t kVectorsAtOnce = 512;

/// z [c, d], one vector per class → logits [c]; sums in float64.
void classify_each(const Linear& classifier, Scratch& scratch, ConstMatrix z,
                   std::span<float> logits) {
  const auto weight = scratch.class_weight.shape(1, z.cols).row(0);  // [d]
  for (std::size_t c = 0; c < logits.size(); ++c) {
    classifier.weight.read(c, weight);
    const auto vector = z.row(c);
    double sum = classifier.bias.empty() ? 0.0 : classifier.bias[c];
    for (std::size_t j = 0; j < vector.size(); ++j) {
      sum += static_cast<double>(vector[j]) * weight[j];
    }
    logits[c] = static_cast<float>(sum);
  }
}

}  // namespace

void label_attention_logits(const HeadsDescription& heads, const Weights& weights, Pass& pass,
                            ConstMatrix x, Matrix logits) {
  const LabelAttentionWeights& labels = *weights.label_attention;
  Scratch& scratch = pass.scratch;
  const std::size_t classes = labels.queries.rows;
  const Matrix query = pass.matrix(scratch.label_query, classes, heads.width());  // [c, H]
  const Matrix key = pass.matrix(scratch.key, x.rows, heads.width());             // [n, H]
  const Matrix value = pass.matrix(scratch.value, x.rows, heads.width());         // [n, H]
  const std::array<LinearOutput, 1> of_queries = {{{&labels.attention.query, query}}};
  const std::array<LinearOutput, 2> of_tokens = {
      {{&labels.attention.key, key}, {&labels.attention.value, value}}};
  project(heads, of_queries, labels.queries);
  project(heads, of_tokens, x);

  pass.note(Moment::label_query, query);
  pass.note(Moment::label_key, key);
  pass.note(Moment::label_value, value);

  const RowStarts starts = pass.batch.starts();
  const std::size_t some = std::max<std::size_t>(kVectorsAtOnce / classes, 1);
  const std::size_t most = pass.keeps_values() ? logits.rows : some;
  Buffer& context_memory = labels.attention.output ? scratch.context : scratch.label_out;
  for (std::size_t first = 0; first < logits.rows; first += most) {
    const std::size_t texts = std::min(most, logits.rows - first);
    const Matrix context = pass.matrix(context_memory, texts * classes, heads.width());
    scratch.attentions.clear();
    for (std::size_t text = first; text < first + texts; ++text) {
      TextAttention& attention = scratch.attentions.emplace_back();
      attention.text = text;
      attention.query = query;
      attention.key = key.row_range(starts[text], pass.batch.length(text));
      attention.value = value.row_range(starts[text], pass.batch.length(text));
      attention.out = context.row_range((text - first) * classes, classes);
    }
    attend_texts(heads, Moment::label_context, pass, context);
    const Matrix z = project_context(labels.attention.output, pass, context,
                                     scratch.label_out);  // [texts · c, d]
    pass.note(Moment::label_output, z);
    for (std::size_t text = 0; text < texts; ++text) {
      classify_each(*weights.classifier, scratch, z.row_range(text * classes, classes),
                    logits.row(first + text));
    }
  }
}

}  // namespace headlight
