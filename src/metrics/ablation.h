// What each part of a model is worth on labelled rows: how the measures change without it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "classifier/prediction.h"
#include "encoder/ablation.h"
#include "metrics/gold.h"
#include "metrics/measure.h"

namespace headlight {

/// Changes are those without the part less those of the whole model, over the same rows. Intervals
/// are 95 % confidence intervals of paired rows, empty for fewer than kLeastRowsOfInterval.
struct PartEffect {
  Part part;
  std::size_t rows = 0;
  /// "accuracy_change": of the share of correct rows (all labels correct, for multi-label models),
  /// as paired_interval(); not of values. "log_loss_change": of the rows with known labels; not
  /// without probabilities. "mse_change": of the squared error of a regression, alone.
  std::vector<Measure> changes;
  /// "accuracy", "log_loss" or "mse" without the part, one per change.
  std::vector<Measure> without = {};
  std::size_t verdicts_changed = 0;  // rows with other labels
  double logit_change = 0.0;         // the mean of |Δ logit| over rows and labels
};

/// How much a part is needed: the change of the loss without it, or else of the verdicts.
double need_for(const PartEffect& effect);

struct Ablation {
  PartKind kind = PartKind::head;
  std::vector<PartEffect> effects;  // in the order of layers and heads
  std::vector<Part> together;       // out at the same time: one effect; empty: each part alone
  bool estimated = false;           // by gradients (attribution.h): an effect has only "worth"
  /// Of what was estimated and what was measured; empty: not defined.
  std::optional<double> correlation = {};
  std::size_t compared_rows = 0;
};

/// Adds up the effects of parts, row by row; keeps 8 bytes a row, to count repeated texts once.
class AblationSums {
 public:
  AblationSums(LabelSet labels, const std::vector<Part>& parts);

  /// A prediction per part in `without`; one with an error is left out.
  void add(const Gold& gold, const Prediction& whole, const std::vector<Prediction>& without);
  Ablation measure() const;

  std::vector<Part> together = {};  // of the Ablation

 private:
  /// The sums of one part.
  struct Sums {
    Part part;
    std::size_t rows = 0;
    std::size_t gained = 0;  // rows that are correct only without the part
    std::size_t lost = 0;
    std::size_t changed = 0;
    std::size_t right = 0;  // rows that are correct without the part
    std::size_t known = 0;  // rows with known labels
    double loss = 0.0;      // Σ of the rows' losses without the part
    double logits = 0.0;    // Σ of each row's mean |Δ logit|
    double mean = 0.0;  // of the changes of the rows' losses, and of their squares (Welford 1962)
    double squares = 0.0;
  };
  void add_row(const Gold& gold, const Prediction& whole, const Prediction& without, Sums& sums);
  PartEffect effect_of(const Sums& sums, std::size_t distinct) const;

  LabelSet labels_;
  std::vector<Sums> sums_;
  std::vector<std::uint64_t> texts_;  // as Evaluator keeps them
};

}  // namespace headlight
