// Measures of attention, in float64: statistics of a model's heads over one or more texts, and
// attention rollout, how much each token contributes to the vectors of the last layer (Abnar and
// Zuidema 2020, "Quantifying Attention Flow in Transformers", §3).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "model/description.h"
#include "text/encoding.h"

namespace headlight {

/// Means are over the n queries of a text.
struct HeadStatistics {
  std::size_t layer = 0;
  std::size_t head = 0;
  double mean = 0.0;       // of all weights
  double std = 0.0;        // of all weights (population)
  double max = 0.0;        // mean of each query's maximum
  double entropy = 0.0;    // mean of −Σ a ln a
  double distance = 0.0;   // mean of Σ a |i − j|
  double self = 0.0;       // mean weight on the token itself; this and the next: 0 if there is none
  double previous = 0.0;   // on the token before it
  double next = 0.0;       // on the token after it
  double special = 0.0;    // on all special tokens
  double first = 0.0;      // on the first token
  double last = 0.0;       // on the last token
  double separator = 0.0;  // on special tokens behind a text, such as [SEP]; NaN if there are none
  /// How much a query takes from the sinks S (the first token, the last one and the separators),
  /// relative to other tokens: Σ a ‖f‖ / Σ a, over all queries and the tokens of S, divided by the
  /// mean ‖f‖ of the others. f is the transformed value vector of a token (value_norms() in
  /// inside.h). A head whose queries attend to S does nothing if this is near 0, and writes the
  /// vector of the sinks if it is near 1 or above (Kobayashi et al. 2020, §4.1; Gu et al. 2025,
  /// "When Attention Sink Emerges in Language Models", §3; Guo et al. 2024, "Active-Dormant
  /// Attention Heads", on drained values). NaN without other tokens, or without their norms.
  double sink_value_norm = 0.0;
};

/// NaN stands for a statistic that there is not.
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
    StatisticsField{"special", &HeadStatistics::special},
    StatisticsField{"first", &HeadStatistics::first},
    StatisticsField{"last", &HeadStatistics::last},
    StatisticsField{"separator", &HeadStatistics::separator},
    StatisticsField{"sink_value_norm", &HeadStatistics::sink_value_norm}};

/// HeadStatistics::entropy of the weights [n, n] of one head.
double mean_entropy(std::span<const float> weights, std::size_t n);

/// The mean of each statistic over the `heads` (at least one) that have it.
HeadStatistics mean_of(const std::vector<HeadStatistics>& heads);

/// The sums of one head over all added texts.
struct HeadSums {
  HeadStatistics sums;        // sums of the values that each field averages; std is unused
  double squares = 0.0;       // of the weights
  double weights = 0.0;       // how many
  double queries = 0.0;       // how many
  double separators = 0.0;    // how many
  double sink_weights = 0.0;  // on the sinks; sums.sink_value_norm: times the norms there
  double other_norms = 0.0;   // of the value vectors of other tokens
  double others = 0.0;        // how many
};

class AttentionSums {
 public:
  /// Attention of one text, [h, n, n] per layer, and the norms of its transformed value vectors,
  /// [h, n] per layer, or none. `tokens` [n] marks special tokens with Sequence::none. All texts
  /// must come from the same model.
  void add(const std::vector<std::vector<float>>& layers, std::span<const Sequence> tokens,
           const std::vector<std::vector<float>>& value_norms = {});
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
/// the residual connection: it is left out in a layer that is `described` without one. Without
/// layers the result is I.
/// With a decoder, rows are what it reads, and columns the tokens of the text: it begins with the
/// token that each of its tokens repeats, and a layer that attends to the encoder takes half from
/// the encoder's rollout.
std::vector<double> attention_rollout(const std::vector<std::vector<float>>& layers, std::size_t n,
                                      std::span<const LayerDescription> described);

/// The weights [n] of the tokens in the pooled vector, with sum 1: the rollout's row of the pooled
/// token; without one the mean of its rows (an approximation for maximum pooling).
std::vector<double> pooled_weights(std::span<const double> rollout, std::size_t n,
                                   std::optional<std::size_t> pooled_row);

/// The same for the vector of one label: its attention weights [n] times the rollout.
std::vector<double> pooled_weights(std::span<const double> rollout,
                                   std::span<const double> label_weights);

}  // namespace headlight
