// How attention flows through all layers: which tokens the vectors of the last layer are made of
// (Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers", §3). Everything is
// float64.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/description.h"

namespace headlight {

/// The mean over the heads of [h, m, n], [m, n].
std::vector<double> mean_over_heads(std::span<const float> heads, std::size_t matrix_size);

/// Matrices of one text, a layer each, [h, n, n] → [n, n], rows sum to 1: the product, the last
/// layer's first, of (mean over heads + I) with its rows brought to sum 1, where I stands for the
/// residual. Without layers I.
std::vector<double> attention_rollout(const std::vector<std::vector<float>>& layers, std::size_t n);

/// The weights [n] with which tokens enter the vector that is pooled, summing to 1: the rollout's
/// row of the one token that is read, or the mean of its rows (an approximation where each
/// dimension takes the maximum).
std::vector<double> pooled_weights(std::span<const double> rollout, std::size_t n, Pooling pooling);

/// The same of the vector of one label: its weights on the encoded tokens [n] through the rollout.
std::vector<double> pooled_weights(std::span<const double> rollout,
                                   std::span<const double> label_weights);

}  // namespace headlight
