#include "encoder/label_attention.h"

#include <array>

#include "encoder/attention.h"

namespace headlight {
namespace {

/// z [c, d], a vector a class → its logits [c]: sums in float64.
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

void label_attention_logits(const Description& model, const Weights& weights,
                            const LayerInput& input, Scratch& scratch, Trace* trace, ConstMatrix x,
                            Matrix logits) {
  const Batch& batch = input.batch;
  const HeadsDescription& heads = model.label_heads;
  const LabelAttentionWeights& labels = *weights.label_attention;
  const std::size_t width = heads.width();
  const std::size_t classes = labels.queries.rows;

  const Matrix query = scratch.label_query.shape(classes, width);  // [c, H]
  const Matrix key = scratch.key.shape(x.rows, width);             // [n, H]
  const Matrix value = scratch.value.shape(x.rows, width);         // [n, H]
  const std::array<LinearOutput, 1> of_queries = {{{&labels.attention.query, query}}};
  const std::array<LinearOutput, 2> of_tokens = {
      {{&labels.attention.key, key}, {&labels.attention.value, value}}};
  project(heads, of_queries, labels.queries);
  project(heads, of_tokens, x);
  if (input.cache != nullptr) input.cache->append(key, value);

  for (std::size_t text = 0; text < batch.texts(); ++text) {
    const std::size_t first = batch.starts()[text];
    const std::size_t count = batch.length(text);
    Matrix z = scratch.context.shape(classes, width);  // [c, H]
    TextAttention attention;
    attention.query = query;
    attention.key = key.row_range(first, count);
    attention.value = value.row_range(first, count);
    attention.cache = input.cache;
    if (trace != nullptr && trace->wants_label_attention) {
      auto& own = trace->texts[text].label_attention;
      own.resize(heads.sizes.size() * classes * count);
      attention.kept = own;
    }
    attention.out = z;
    attend(heads, {&attention, 1});
    if (labels.attention.output) {
      const Matrix out = scratch.label_out.shape(classes, labels.attention.output->out());
      labels.attention.output->apply(z, out);
      z = out;  // [c, d]
    }
    classify_each(*weights.classifier, scratch, z, logits.row(text));
  }
}

}  // namespace headlight
