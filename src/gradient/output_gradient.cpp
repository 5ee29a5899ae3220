#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "encoder/ngrams.h"
#include "encoder/pooling.h"
#include "gradient/steps.h"
#include "math/function_gradients.h"

namespace headlight {
namespace {

/// dy, the gradient of the dense layer's output → that of its input, dx. dy is overwritten.
void dense_gradient(const BackwardPass& pass, Matrix dy, Matrix dx) {
  const Values& values = pass.tape.values;
  if (pass.weights.head_norm) {
    norm_gradient(pass, *pass.weights.head_norm, values[Moment::dense_unnormed], dy, dy);
  }
  activation_gradient(pass, *pass.model.head_dense, values[Moment::dense], dy);
  linear_gradient(pass, *pass.weights.head_dense, values[Moment::dense_input], dy, dx);
}

/// dy, the gradient of x / ‖x‖ → that of x. With the rules of relevance, the norm is a constant.
void normalize_gradient(const BackwardPass& pass, ConstMatrix x, Matrix dy) {
  const bool is_constant = pass.rules == BackwardRules::relevance;
  for (std::size_t text = 0; text < x.rows; ++text) {
    const auto row = x.row(text);
    const auto gradient = dy.row(text);
    const double squares = std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
    if (squares == 0.0) continue;
    const double along =
        std::inner_product(row.begin(), row.end(), gradient.begin(), 0.0) / squares;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double rest = is_constant ? gradient[j] : gradient[j] - along * row[j];
      gradient[j] = static_cast<float>(rest / std::sqrt(squares));
    }
  }
}

/// Gives the gradient of each column's largest number to the first row that has it.
void max_gradient(ConstMatrix x, std::span<const float> dz, Matrix dx) {
  for (std::size_t j = 0; j < dz.size(); ++j) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < x.rows; ++i) {
      if (x.row(i)[j] > x.row(best)[j]) best = i;
    }
    dx.row(best)[j] += dz[j];
  }
}

/// The same for a mean of tokens and n-grams; adds the gradients of the vectors of n-grams.
void ngram_gradient(const BackwardPass& pass, ConstMatrix dz, Matrix dx) {
  TextParts parts;
  for (std::size_t text = 0; text < pass.batch.texts(); ++text) {
    const std::size_t start = pass.batch.starts()[text];
    find_parts(*pass.model.ngrams, pass.batch, text, parts);
    const float share = 1.0F / static_cast<float>(std::max<std::size_t>(parts.count(), 1));
    const auto add_share = [&](std::span<float> to) {
      for (std::size_t j = 0; j < to.size(); ++j) to[j] += dz.row(text)[j] * share;
    };
    for (const std::size_t i : parts.tokens) add_share(dx.row(start + i));
    if (!pass.gradients.wanted()) continue;
    const Matrix of_ngrams = pass.gradients.of(pass.weights.embeddings.ngrams);
    for (const Ngram& ngram : parts.ngrams) add_share(of_ngrams.row(ngram.bucket));
  }
}

/// dz [t, d], the gradient of the pooled vectors → that of the rows that were pooled, dx.
void pooling_gradient(const BackwardPass& pass, ConstMatrix dz, Matrix dx) {
  fill_zeros(dx);
  const Batch& batch = pass.batch;
  if (pass.model.ngrams) return ngram_gradient(pass, dz, dx);
  if (pass.model.pooling == Pooling::each_token || !pass.tape.rows.empty()) return add(dz, dx);
  for (std::size_t text = 0; text < batch.texts(); ++text) {
    const std::size_t start = batch.starts()[text];
    const std::size_t count = batch.length(text);
    const std::optional<std::size_t> row = pooled_row(pass.model, batch.ids_of(text));
    if (row) {
      add(dz.row_range(text, 1), dx.row_range(start + *row, 1));
    } else if (pass.model.pooling == Pooling::max) {
      const ConstMatrix x = pass.tape.values[Moment::pooling_input];
      max_gradient(x.row_range(start, count), dz.row(text), dx.row_range(start, count));
    } else {
      const float share = 1.0F / static_cast<float>(count);
      for (std::size_t i = start; i < start + count; ++i) {
        for (std::size_t j = 0; j < dx.cols; ++j) dx.row(i)[j] = dz.row(text)[j] * share;
      }
    }
  }
}

void label_ngram_gradient(const BackwardPass& pass, ConstMatrix dlogits) {
  if (!pass.model.label_ngrams || !pass.gradients.wanted()) return;
  const Matrix of_ngrams = pass.gradients.of(pass.weights.label_ngrams);
  TextParts parts;
  for (std::size_t text = 0; text < pass.batch.texts(); ++text) {
    find_parts(*pass.model.label_ngrams, pass.batch, text, parts);
    const auto share = static_cast<float>(label_ngram_share(parts));
    for (const Ngram& ngram : parts.ngrams) {
      const std::span<float> row = of_ngrams.row(ngram.bucket);
      for (std::size_t k = 0; k < row.size(); ++k) row[k] += dlogits.row(text)[k] * share;
    }
  }
}

/// The gradient of the classifier's input; adds those of its weights.
Matrix classifier_gradient(const BackwardPass& pass, ConstMatrix dlogits) {
  label_ngram_gradient(pass, dlogits);
  const Linear& classifier = *pass.weights.classifier;
  const Matrix dz = pass.memory.take(dlogits.rows, classifier.in());
  linear_gradient(pass, classifier, pass.tape.values[Moment::classifier_input], dlogits, dz);
  pass.tape.drop(Moment::classifier_input, 0, {pass.batch, {}}, dz);
  return dz;
}

/// logit_c = z_c · Wc[c] + bc[c]; dlogits [t, c] → dx [n, d].
void label_gradient(const BackwardPass& pass, ConstMatrix dlogits, Matrix dx) {
  const Linear& classifier = *pass.weights.classifier;
  const ConstMatrix z = pass.tape.values[Moment::label_output];  // [t · c, d]
  const std::size_t classes = dlogits.cols;
  Buffer widened;
  const ConstMatrix weight = classifier.weight.floats(0, classes, widened);  // [c, d]
  const Matrix dz = pass.memory.take(z.rows, z.cols);
  for (std::size_t i = 0; i < z.rows; ++i) {
    const float dlogit = dlogits.row(i / classes)[i % classes];
    const auto row = weight.row(i % classes);
    for (std::size_t j = 0; j < row.size(); ++j) dz.row(i)[j] = dlogit * row[j];
  }
  if (pass.gradients.wanted()) {
    const Matrix dweight = pass.gradients.of(classifier.weight);
    for (std::size_t i = 0; i < z.rows; ++i) {
      const float dlogit = dlogits.row(i / classes)[i % classes];
      const auto row = dweight.row(i % classes);
      for (std::size_t j = 0; j < row.size(); ++j) row[j] += dlogit * z.row(i)[j];
    }
    bias_gradient(dlogits, pass.gradients.of(classifier.bias));
  }
  label_attention_gradient(pass, dz, dx);
}

}  // namespace

void output_gradient(const BackwardPass& pass, ConstMatrix dlogits, ConstMatrix dvectors,
                     Matrix dx) {
  const BackwardMemory::Frame frame(pass.memory);
  if (pass.weights.label_attention) return label_gradient(pass, dlogits, dx);
  const auto take_like = [&](Moment moment) {
    const ConstMatrix value = pass.tape.values[moment];
    return pass.memory.take_zeros(value.rows, value.cols);
  };
  const bool classifies = pass.weights.classifier.has_value();
  const bool has_dense = classifies && pass.weights.head_dense.has_value();
  Matrix dz = classifies ? classifier_gradient(pass, dlogits) : take_like(Moment::pooled);
  if (has_dense && !pass.model.head_dense_first) {
    const Matrix ddense = dz;
    dz = take_like(Moment::dense_input);
    dense_gradient(pass, ddense, dz);
  }
  if (classifies && pass.model.normalize) {
    normalize_gradient(pass, pass.tape.values[Moment::pooled], dz);
  }
  if (dvectors.rows > 0) add(dvectors, dz);
  if (!has_dense || !pass.model.head_dense_first) return pooling_gradient(pass, dz, dx);
  const Matrix ddense = take_like(Moment::dense);
  pooling_gradient(pass, dz, ddense);
  dense_gradient(pass, ddense, dx);
}

}  // namespace headlight
