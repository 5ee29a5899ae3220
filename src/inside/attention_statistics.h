// Measures of attention, in float64: statistics of a model's heads over one or more texts, and
// attention rollout, how much each token contributes to the vectors of the last layer (Abnar and
// Zuidema 2020, "Quantifying Attention Flow in Transformers", §3).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "text/encoding.h"

namespace headlight {

/// Means are over the n queries of a text.
struct HeadStatistics {
  std::size_t layer = 0;
  std::size_t head = 0;
  double mean = 0.0;      // of all weights
  double std = 0.0;       // of all weights (population)
  double max = 0.0;       // mean of each query's maximum
  double entropy = 0.0;   // mean of −Σ a ln a
  double distance = 0.0;  // mean of Σ a |i − j|
  double self = 0.0;      // mean weight on the token itself; this and the next: 0 if there is none
  double previous = 0.0;  // on the token before it
  double next = 0.0;      // on the token after it
  double special = 0.0;   // on all special tokens
};

struct StatisticsField {
  const char* name;
  double HeadStatistics::*value;
};

/// All statistics, in the order of the contract.
inline constexpr std::array kStatisticsFields = {
    StatisticsField{"mean", &HeadStatistics::mean},
    StatisticsField{"std", &HeadStatistics::std},
    StatisticsField{"max", &HeadStatistics::max},
    StatisticsField{"entropy", &HeadStatistics::entropy},
    StatisticsField{"distance", &HeadStatistics::distance},
    StatisticsField{"self", &HeadStatistics::self},
    StatisticsField{"previous", &HeadStatistics::previous},
    StatisticsField{"next", &HeadStatistics::next},
    StatisticsField{"special", &HeadStatistics::special}};

/// HeadStatistics::entropy of the weights [n, n] of one head.
double mean_entropy(std::span<const float> weights, std::size_t n);

/// The mean of each statistic over `heads` (at least one).
HeadStatistics mean_of(const std::vector<HeadStatistics>& heads);

/// The sums of one head over all added texts.
struct HeadSums {
  HeadStatistics sums;   // sums of the values that each field averages; std is unused
  double squares = 0.0;  // of the weights
  double weights = 0.0;  // how many
  double queries = 0.0;  // how many
};

class AttentionSums {
 public:
  /// Attention of one text, [h, n, n] per layer. `tokens` [n] marks special tokens with
  /// Sequence::none. All texts must come from the same model.
  void add(const std::vector<std::vector<float>>& layers, std::span<const Sequence> tokens);
  /// Adds the sums of another object. The same objects in the same order give the same bits.
  void add(const AttentionSums& other);

  /// Of every head, layer by layer; empty if nothing was added.
  std::vector<HeadStatistics> statistics() const;

 private:
  std::vector<HeadSums> heads_;
};

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
