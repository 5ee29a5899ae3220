#include "encoder/head.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "encoder/attention.h"
#include "encoder/ngrams.h"
#include "encoder/pooling.h"

namespace headlight {
namespace {

/// The vector of each text, [t, d], or of each token, [n, d].
ConstMatrix pooled(const Description& model, const Weights& weights, const Pass& pass,
                   ConstMatrix x) {
  if (model.pooling == Pooling::each_token) return x;
  if (!pass.rows.empty()) return x;  // the layers computed only these rows
  pass.note(Moment::pooling_input, x);
  const Matrix z = pass.matrix(pass.scratch.pooled, pass.batch.texts(), x.cols);
  if (!pass.provides(Moment::pooled, z)) pool(model, weights, pass, x, z);
  return z;
}

/// The dense layer of the head with its activation and norm; x if there is none.
ConstMatrix dense_layer(const Description& model, const Weights& weights, const Pass& pass,
                        ConstMatrix x) {
  if (!weights.head_dense) return x;
  const Linear& linear = *weights.head_dense;
  const Activation activation = *model.head_dense;
  pass.note(Moment::dense_input, x);
  Matrix dense = pass.matrix(pass.scratch.dense, x.rows, linear.out());
  linear.apply(x, dense, pass.fused(activation));
  dense = pass.activated(activation, Moment::dense, dense, pass.scratch.dense);
  if (!weights.head_norm) return dense;
  return pass.normed(*weights.head_norm, Moment::dense_unnormed, dense);
}

/// z [t, d] → each row divided by its norm
ConstMatrix normalized(const Pass& pass, ConstMatrix z) {
  const Matrix unit = pass.matrix(pass.scratch.unit, z.rows, z.cols);
  copy_rows(z, unit);
  normalize_rows(unit);
  return unit;
}

/// logits [t, c] and those of each fold → [t, c + k · c]
ConstMatrix with_folds(const Linear& folds, ConstMatrix z, ConstMatrix logits, Scratch& scratch) {
  const Matrix each = scratch.folds.shape(z.rows, folds.out());
  folds.apply(z, each);
  const Matrix all = scratch.all_logits.shape(z.rows, logits.cols + each.cols);
  for (std::size_t text = 0; text < z.rows; ++text) {
    std::ranges::copy(logits.row(text), all.row(text).begin());
    std::ranges::copy(each.row(text), all.row(text).subspan(logits.cols).begin());
  }
  return all;
}

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

/// Label attention: one learned query per class attends to the encoded tokens. It gives one vector
/// per class, which is multiplied with that class's row of the classifier (Mullenbach et al. 2018,
/// "Explainable Prediction of Medical Codes from Clinical Text"): x [n, d] → logits [t, c],
/// logit_c = z_c · Wc[c] + bc[c].
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

/// x [n, d] of a text with these ids → the vectors of its labels, out [labels, d]
void pool_labels(const LabelReading& reading, std::span<const TokenId> ids, ConstMatrix x,
                 Matrix out) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == reading.label_token) starts.push_back(i);
  }
  starts.push_back(ids.size());
  // A label token that is typed in a text comes after those of the labels, or before them.
  const std::size_t first = reading.labels_first ? 0 : starts.size() - 1 - out.rows;
  for (std::size_t i = 0; i < out.rows; ++i) {
    const std::size_t begin = starts[first + i];
    const std::size_t count = reading.label_mean ? starts[first + i + 1] - begin : 1;
    mean_of_rows(x.row_range(begin, count), out.row(i));
  }
}

/// As gliclass 0.1.21, GLiClassUniEncoder.process_encoder_output(): x [n, d] → logits [t, labels]
void label_reading_logits(const Description& model, const Weights& weights, const Pass& pass,
                          ConstMatrix x, Matrix logits) {
  const LabelReading& reading = *model.label_reading;
  const std::vector<Linear>& layers = weights.label_reading;
  Scratch& scratch = pass.scratch;
  const std::size_t labels = pass.labels;
  const Matrix texts = scratch.pooled.shape(logits.rows, x.cols);                // [t, d]
  const Matrix classes = scratch.label_out.shape(logits.rows * labels, x.cols);  // [t · labels, d]
  pool(model, weights, pass, x, texts);
  for (std::size_t text = 0; text < logits.rows; ++text) {
    pool_labels(reading, pass.batch.ids_of(text),
                x.row_range(pass.batch.starts()[text], pass.batch.length(text)),
                classes.row_range(text * labels, labels));
  }
  for (const auto& [rows, first] : {std::pair(texts, 0U), std::pair(classes, 2U)}) {
    const Matrix middle = scratch.dense.shape(rows.rows, reading.projector_size);
    layers[first].apply(rows, middle, reading.activation);
    layers[first + 1].apply(middle, rows);
  }
  Matrix scores = scratch.up.shape(classes.rows, 2 * x.cols);  // of the product, or text and label
  for (std::size_t i = 0; i < classes.rows; ++i) {
    const auto text = texts.row(i / labels);
    const auto label = classes.row(i);
    const auto row = scores.row(i);
    std::copy(label.begin(), label.end(), std::copy(text.begin(), text.end(), row.begin()));
    if (reading.mlp) continue;
    row[0] = static_cast<float>(std::inner_product(text.begin(), text.end(), label.begin(), 0.0));
  }
  for (std::size_t i = 4; i < layers.size(); ++i) {
    Buffer& memory = i % 2 == 0 ? scratch.query : scratch.key;
    const Matrix next = memory.shape(scores.rows, layers[i].out());
    layers[i].apply(scores, next, i == 6 ? Activation::linear : Activation::relu);
    scores = next;
  }
  for (std::size_t i = 0; i < scores.rows; ++i) {
    logits.row(i / labels)[i % labels] = scores.row(i)[0];
  }
}

}  // namespace

ConstMatrix classifier_input(const Description& model, const Weights& weights, Pass& pass,
                             ConstMatrix x) {
  ConstMatrix z = model.head_dense_first ? dense_layer(model, weights, pass, x) : x;
  z = pooled(model, weights, pass, z);  // [t, d]
  pass.note(Moment::pooled, z);
  if (model.normalize) z = normalized(pass, z);
  if (!model.head_dense_first) z = dense_layer(model, weights, pass, z);
  if (pass.keeps_values()) {
    const Matrix changed = pass.matrix(pass.scratch.pooled, z.rows, z.cols);
    copy_rows(z, changed);
    pass.change(Moment::classifier_input, changed);
    z = changed;
  }
  pass.note(Moment::classifier_input, z);
  return z;
}

ConstMatrix run_head(const Description& model, const Weights& weights, Pass& pass, ConstMatrix x) {
  const bool each_token = model.pooling == Pooling::each_token;
  const std::size_t rows = each_token ? pass.batch.tokens() : pass.batch.texts();
  const std::size_t classes = model.label_reading ? pass.labels : model.classes();
  const Matrix logits = pass.scratch.logits.shape(rows, classes);  // [t, c] or [n, c]
  if (model.label_reading && pass.labels > 0) {
    label_reading_logits(model, weights, pass, x, logits);
    return logits;
  }
  if (!weights.classifier) {
    if (pass.keeps_values()) pass.note(Moment::pooled, pooled(model, weights, pass, x));
    return logits;
  }
  if (weights.label_attention) {
    label_attention_logits(model.label_heads, weights, pass, x, logits);
    return logits;
  }
  const ConstMatrix z = classifier_input(model, weights, pass, x);  // [t, d]
  weights.classifier->apply(z, logits);
  if (model.label_ngrams) {
    add_label_ngrams(*model.label_ngrams, weights.label_ngrams, pass, logits);
  }
  if (pass.adds_folds && weights.folds) return with_folds(*weights.folds, z, logits, pass.scratch);
  return logits;
}

}  // namespace headlight
