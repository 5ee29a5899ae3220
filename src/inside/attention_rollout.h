// Attention rollout: how much each token contributes to the vectors of the last layer (Abnar and
// Zuidema 2020, "Quantifying Attention Flow in Transformers", §3). Everything is float64.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace headlight {

/// [h, m, n] → [m, n]: the mean over the heads. `matrix_size` is m · n > 0.
std::vector<double> mean_over_heads(std::span<const float> heads, std::size_t matrix_size);

/// Attention of one text, [h, n, n] per layer → [n, n], rows sum to 1: the product over the layers,
/// with the last layer leftmost, of (mean over heads + I) with rows normalized to sum 1. I models
/// the residual connection. Without layers the result is I.
std::vector<double> attention_rollout(const std::vector<std::vector<float>>& layers, std::size_t n);

/// The weights [n] of the tokens in the pooled vector, with sum 1: the rollout's row of the pooled
/// token; without one the mean of its rows (an approximation for maximum pooling).
std::vector<double> pooled_weights(std::span<const double> rollout, std::size_t n,
                                   std::optional<std::size_t> pooled_row);

/// The same for the vector of one label: its attention weights [n] times the rollout.
std::vector<double> pooled_weights(std::span<const double> rollout,
                                   std::span<const double> label_weights);

}  // namespace headlight
