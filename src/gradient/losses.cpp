#include "gradient/losses.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace headlight {
namespace {

double weight_of(const LossWeights& weights, std::size_t label) {
  const double of_label = weights.label.empty() ? 1.0 : static_cast<double>(weights.label[label]);
  return static_cast<double>(weights.all) * of_label;
}

void add_to(float& sum, double value) {
  sum = static_cast<float>(static_cast<double>(sum) + value);
}

/// log softmax(logits / temperature), in float64.
void log_softmax(std::span<const float> logits, double temperature, std::vector<double>& out) {
  out.assign(logits.begin(), logits.end());
  for (double& value : out) value /= temperature;
  const double top = *std::max_element(out.begin(), out.end());
  double sum = 0.0;
  for (const double value : out) sum += std::exp(value - top);
  const double log_sum = top + std::log(sum);
  for (double& value : out) value -= log_sum;
}

/// log(1 + exp(x))
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

double sigmoid(double x) {
  const double e = std::exp(-std::abs(x));
  return (x < 0.0 ? e : 1.0) / (1.0 + e);
}

/// p · log(p / q), from their logarithms.
double divergence(double log_p, double log_q) {
  const double p = std::exp(log_p);
  return p == 0.0 ? 0.0 : p * (log_p - log_q);
}

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    sum += static_cast<double>(a[j]) * static_cast<double>(b[j]);
  }
  return sum;
}

/// Rows of the length 1; those of zeros stay.
class UnitVectors {
 public:
  explicit UnitVectors(ConstMatrix vectors) : d_(vectors.cols) {
    units_.reserve(vectors.rows * d_);
    for (std::size_t i = 0; i < vectors.rows; ++i) {
      const double length = std::sqrt(dot(vectors.row(i), vectors.row(i)));
      inverses_.push_back(length > 0.0 ? 1.0 / length : 0.0);
      for (const float value : vectors.row(i)) {
        units_.push_back(static_cast<double>(value) * inverses_.back());
      }
    }
  }

  double cosine(std::size_t i, std::size_t a) const {
    return std::inner_product(&units_[i * d_], &units_[i * d_] + d_, &units_[a * d_], 0.0);
  }

  /// From the derivatives of the cosines of all pairs [t, t] to those of the vectors [t, d].
  void add_gradients(std::span<const double> slopes, Matrix gradient) const {
    std::vector<double> sum(d_);
    for (std::size_t i = 0; i < inverses_.size(); ++i) {
      std::fill(sum.begin(), sum.end(), 0.0);
      double along = 0.0;
      for (std::size_t a = 0; a < inverses_.size(); ++a) {
        const double slope = slopes[i * inverses_.size() + a];
        along += slope * cosine(i, a);
        for (std::size_t j = 0; j < d_; ++j) sum[j] += slope * units_[a * d_ + j];
      }
      for (std::size_t j = 0; j < d_; ++j) {
        add_to(gradient.row(i)[j], inverses_[i] * (sum[j] - along * units_[i * d_ + j]));
      }
    }
  }

 private:
  std::size_t d_;
  std::vector<double> units_;     // [t, d]
  std::vector<double> inverses_;  // [t] of the lengths
};

/// The loss of one output and its derivative.
struct Term {
  double loss;
  double slope;
};

/// Sums the terms of all outputs [t, c]; term(output, target, column).
template <typename TermOf>
double sum_terms(ConstMatrix outputs, ConstMatrix targets, Matrix gradient, const TermOf& term_of) {
  double loss = 0.0;
  for (std::size_t i = 0; i < outputs.rows; ++i) {
    for (std::size_t c = 0; c < outputs.cols; ++c) {
      const Term term = term_of(double{outputs.row(i)[c]}, double{targets.row(i)[c]}, c);
      loss += term.loss;
      add_to(gradient.row(i)[c], term.slope);
    }
  }
  return loss;
}

}  // namespace

double cross_entropy(ConstMatrix logits, std::span<const std::uint32_t> targets, float smoothing,
                     const LossWeights& weights, Matrix gradient) {
  double loss = 0.0;
  const double share = static_cast<double>(smoothing) / static_cast<double>(logits.cols);
  std::vector<double> logs;
  for (std::size_t i = 0; i < logits.rows; ++i) {
    if (targets[i] == kNoTarget) continue;
    log_softmax(logits.row(i), 1.0, logs);
    const double weight = weight_of(weights, targets[i]);
    for (std::size_t c = 0; c < logits.cols; ++c) {
      const double hit = c == targets[i] ? 1.0 - static_cast<double>(smoothing) : 0.0;
      const double target = hit + share;
      loss -= weight * target * logs[c];
      add_to(gradient.row(i)[c], weight * (std::exp(logs[c]) - target));
    }
  }
  return loss;
}

double binary_cross_entropy(ConstMatrix logits, ConstMatrix targets, const LossWeights& weights,
                            Matrix gradient) {
  return sum_terms(logits, targets, gradient, [&](double logit, double target, std::size_t c) {
    const double weight = target > 0.0 ? weight_of(weights, c) : static_cast<double>(weights.all);
    return Term{weight * (softplus(logit) - target * logit), weight * (sigmoid(logit) - target)};
  });
}

double squared_error(ConstMatrix outputs, ConstMatrix targets, float weight, Matrix gradient) {
  const double each = static_cast<double>(weight) / static_cast<double>(outputs.cols);
  return sum_terms(outputs, targets, gradient, [&](double output, double target, std::size_t) {
    const double off = output - target;
    return Term{each * off * off, 2.0 * each * off};
  });
}

double teacher_divergence(ConstMatrix logits, ConstMatrix teacher, float temperature, float weight,
                          Matrix gradient) {
  double loss = 0.0;
  const double t = temperature;
  const double each = double{weight} * t;
  std::vector<double> student;
  std::vector<double> taught;
  for (std::size_t i = 0; i < logits.rows; ++i) {
    log_softmax(logits.row(i), t, student);
    log_softmax(teacher.row(i), t, taught);
    for (std::size_t c = 0; c < logits.cols; ++c) {
      loss += each * t * divergence(taught[c], student[c]);
      add_to(gradient.row(i)[c], each * (std::exp(student[c]) - std::exp(taught[c])));
    }
  }
  return loss;
}

double binary_teacher_divergence(ConstMatrix logits, ConstMatrix teacher, float temperature,
                                 float weight, Matrix gradient) {
  const double t = temperature;
  const double each = double{weight} * t;
  return sum_terms(logits, teacher, gradient, [&](double logit, double taught, std::size_t) {
    const double student = logit / t;
    taught /= t;
    const double both = divergence(-softplus(-taught), -softplus(-student)) +
                        divergence(-softplus(taught), -softplus(student));
    return Term{each * t * both, each * (sigmoid(student) - sigmoid(taught))};
  });
}

double pair_loss(ConstMatrix vectors, std::span<const std::uint32_t> labels, float weight,
                 Matrix gradient) {
  const std::size_t n = vectors.rows;
  const UnitVectors units(vectors);
  std::ptrdiff_t same = 0;  // pairs, each in both orders
  for (const std::uint32_t label : labels) {
    same += std::count(labels.begin(), labels.end(), label) - 1;
  }
  const auto all = static_cast<double>(n * (n - 1));
  std::vector<double> slopes(n * n);
  double loss = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t a = 0; a < n; ++a) {
      if (a == i) continue;
      const bool is_same = labels[a] == labels[i];
      const double pairs = is_same ? static_cast<double>(same) : all - static_cast<double>(same);
      const double each = 0.5 * static_cast<double>(weight) / pairs;
      const double off = units.cosine(i, a) - (is_same ? 1.0 : 0.0);
      loss += each * off * off;
      slopes[i * n + a] = 4.0 * each * off;
    }
  }
  units.add_gradients(slopes, gradient);
  return loss;
}

double cosine_distance(ConstMatrix vectors, ConstMatrix teacher, float weight, Matrix gradient) {
  double loss = 0.0;
  for (std::size_t i = 0; i < vectors.rows; ++i) {
    const auto vector = vectors.row(i);
    const auto taught = teacher.row(i);
    const double length = std::sqrt(dot(vector, vector));
    const double product = length * std::sqrt(dot(taught, taught));
    const double cosine = product > 0.0 ? dot(vector, taught) / product : 0.0;
    loss += static_cast<double>(weight) * (1.0 - cosine);
    if (product <= 0.0) continue;
    for (std::size_t j = 0; j < vector.size(); ++j) {
      const double slope = static_cast<double>(taught[j]) / product -
                           cosine * static_cast<double>(vector[j]) / (length * length);
      add_to(gradient.row(i)[j], -static_cast<double>(weight) * slope);
    }
  }
  return loss;
}

}  // namespace headlight
