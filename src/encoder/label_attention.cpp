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
  const Matrix query = pass.memory(scratch.label_query).shape(classes, heads.width());  // [c, H]
  const Matrix key = pass.memory(scratch.key).shape(x.rows, heads.width());             // [n, H]
  const Matrix value = pass.memory(scratch.value).shape(x.rows, heads.width());         // [n, H]
  const std::array<LinearOutput, 1> of_queries = {{{&labels.attention.query, query}}};
  const std::array<LinearOutput, 2> of_tokens = {
      {{&labels.attention.key, key}, {&labels.attention.value, value}}};
  project(heads, of_queries, labels.queries);
  project(heads, of_tokens, x);

  KeyValueCache* cache = pass.cache == nullptr ? nullptr : &pass.cache->label_attention;
  const RowStarts starts = pass.batch.starts();
  const std::size_t some = std::max<std::size_t>(kVectorsAtOnce / classes, 1);
  const std::size_t most = pass.tape == nullptr ? some : logits.rows;
  HeadTape& notes = pass.notes().head;
  notes.labels.query = query;
  notes.labels.key = key;
  notes.labels.value = value;
  for (std::size_t first = 0; first < logits.rows; first += most) {
    const std::size_t texts = std::min(most, logits.rows - first);
    const std::size_t row = starts[first];
    const std::size_t rows = starts[first + texts] - row;
    const AttentionInput input{
        Attending::labels,          first, texts, query, key.row_range(row, rows),
        value.row_range(row, rows), cache};
    const Matrix z = attend_texts(heads, labels.attention.output, input, pass,
                                  pass.memory(scratch.label_out));  // [texts·c, d]
    notes.label_out = z;
    for (std::size_t text = 0; text < texts; ++text) {
      classify_each(*weights.classifier, scratch, z.row_range(text * classes, classes),
                    logits.row(first + text));
    }
  }
}

}  // namespace headlight
