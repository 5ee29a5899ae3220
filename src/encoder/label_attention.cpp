#include "encoder/label_attention.h"

#include <array>

#include "encoder/attention.h"
#include "encoder/layer.h"

namespace headlight {
namespace {

/// z [c, d], a vector a class → its logits [c].
void classify_each(const Linear& classifier, ConstMatrix z, std::span<float> logits) {
  for (std::size_t c = 0; c < logits.size(); ++c) {
    const auto vector = z.row(c);
    const auto weight = classifier.weight.row(c);
    double sum = classifier.bias.empty() ? 0.0 : classifier.bias[c];
    for (std::size_t j = 0; j < vector.size(); ++j) {
      sum += static_cast<double>(vector[j]) * weight[j];
    }
    logits[c] = static_cast<float>(sum);
  }
}

}  // namespace

void label_attention_logits(const Description& model, const Weights& weights, const Batch& batch,
                            Scratch& scratch, Trace* trace, ConstMatrix x, Matrix logits) {
  const HeadsDescription& heads = model.label_heads;
  const LabelAttentionWeights& labels = *weights.label_attention;
  const std::size_t width = heads.width();
  const std::size_t classes = labels.queries.rows;
  const std::array<std::size_t, 2> all_classes = {0, classes};

  const Matrix query = scratch.label_query.shape(classes, width);  // [c, H]
  const Matrix key = scratch.key.shape(x.rows, width);             // [n, H]
  const Matrix value = scratch.value.shape(x.rows, width);         // [n, H]
  project(heads, labels.attention.query, all_classes, labels.queries, query);
  project(heads, labels.attention.key, batch.starts(), x, key);
  project(heads, labels.attention.value, batch.starts(), x, value);

  for (std::size_t text = 0; text < batch.texts(); ++text) {
    const std::size_t first = batch.starts()[text];
    const std::size_t count = batch.length(text);
    const AttentionRows rows{query, key.row_range(first, count), value.row_range(first, count)};
    std::span<float> kept;
    if (trace != nullptr && trace->wants_label_attention) {
      auto& own = trace->texts[text].label_attention;
      own.resize(heads.sizes.size() * classes * count);
      kept = own;
    }
    Matrix z = scratch.context.shape(classes, width);  // [c, H]
    attend(heads, rows, scratch, kept, z);
    if (labels.attention.output) {
      const Matrix out = scratch.label_out.shape(classes, labels.attention.output->out());
      labels.attention.output->apply(all_classes, z, out);
      z = out;  // [c, d]
    }
    classify_each(*weights.classifier, z, logits.row(text));
  }
}

}  // namespace headlight
