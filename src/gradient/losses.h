// Losses of the outputs of a model. Each function returns the sum over the rows and adds its
// derivative to `gradient`. To add a loss, write one more function like these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "math/matrix.h"

namespace headlight {

/// The weight of a loss: of everything, and of each row or label.
struct LossWeights {
  float all = 1.0F;              // such as 1 / rows, for a mean
  std::span<const float> label;  // [c]; empty: 1
};

/// A row that has no target.
inline constexpr std::uint32_t kNoTarget = 0xFFFFFFFFU;

/// Cross-entropy of the softmax of logits [t, c] and the label number of each row. The target
/// distribution is 1 - smoothing at the label, plus smoothing / c everywhere. A row's weight is
/// that of its label. Rows with kNoTarget are left out.
double cross_entropy(ConstMatrix logits, std::span<const std::uint32_t> targets, float smoothing,
                     const LossWeights& weights, Matrix gradient);

/// Σ over labels of the binary cross-entropy of σ(logit) and the target in [0, 1], logits and
/// targets [t, c]. A label's weight counts where its target is more than 0.
double binary_cross_entropy(ConstMatrix logits, ConstMatrix targets, const LossWeights& weights,
                            Matrix gradient);

/// Σ (output - target)² / c, outputs and targets [t, c].
double squared_error(ConstMatrix outputs, ConstMatrix targets, float weight, Matrix gradient);

/// T² · KL(softmax(teacher / T) ‖ softmax(logits / T)) (Hinton et al. 2015, "Distilling the
/// Knowledge in a Neural Network", §2), logits and teacher [t, c].
double teacher_divergence(ConstMatrix logits, ConstMatrix teacher, float temperature, float weight,
                          Matrix gradient);

/// T² · Σ over labels of KL between the Bernoulli distributions of σ(teacher / T) and σ(logit / T).
double binary_teacher_divergence(ConstMatrix logits, ConstMatrix teacher, float temperature,
                                 float weight, Matrix gradient);

/// Of vectors [t, d] with a label each: half of the mean of (1 - cos)² over the pairs of rows with
/// one label, and of cos² over those with two (Tunstall et al. 2022, "Efficient Few-Shot Learning
/// Without Prompts", §3, of all pairs). A vector of zeros has no gradient.
double pair_loss(ConstMatrix vectors, std::span<const std::uint32_t> labels, float weight,
                 Matrix gradient);

/// 1 - cos(vector, teacher), vectors and teacher [t, d]. A vector of zeros has no gradient.
double cosine_distance(ConstMatrix vectors, ConstMatrix teacher, float weight, Matrix gradient);

}  // namespace headlight
