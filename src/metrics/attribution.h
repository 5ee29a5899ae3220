// What each part of a model is worth on labelled rows: how much the loss of a row rises without it,
// estimated by one backward pass for all parts (gradient/part_products.h).
//
// A pass gives the first-order change of the loss. That of a row with one label, the cross-entropy,
// is exact in the gold logit less log Σ exp of the others, and that of a value in the value: the
// change is linear in these, and the loss is computed from them. A multi-label loss is linear.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "classifier/classifier.h"
#include "gradient/backward.h"
#include "metrics/ablation.h"
#include "rows/row_spool.h"

namespace headlight {

/// The change of a loss that is now `loss`, from its first-order change.
double change_of_loss(ProblemType type, double loss, double first_order);

struct AttributedPrediction : Prediction {
  std::vector<double> worth;  // of each part; empty with an error, or if the label is unknown
};

class Attribution {
 public:
  static constexpr std::size_t kSampleRows = 32;
  static constexpr std::size_t kSampleNeurons = 64;

  /// `kind` is head, neuron or layer. Float32 weights are used, whatever the precision of the
  /// classifier, which must outlive it, as `gold` must. Throws Error if the model has no such
  /// parts. Texts must not be read in windows.
  Attribution(const Classifier& classifier, const GoldReader& gold, PartKind kind);

  /// One for each row that can be read, in order; fewer if `stopped` returned true. Each depends on
  /// its row alone. Can be called by several threads.
  std::vector<AttributedPrediction> score(const std::vector<Row>& rows, ScoringScratch& scratch,
                                          const StopCheck& stopped) const;

  void add(const Row& row, const std::vector<double>& worth);
  /// A sample of kSampleRows rows, and all parts, but only kSampleNeurons neurons. The same for the
  /// same rows.
  RowSpool sample_rows() const;
  std::vector<Part> sample_parts() const;
  /// `exact` is that of the sample.
  Ablation measure(const Ablation& exact) const;

 private:
  struct Sampled {
    Row row;
    std::vector<double> worth;
  };
  /// The texts of a batch, and their rows' numbers among the results.
  struct Texts {
    Batch batch;
    std::vector<std::size_t> numbers;
  };
  void score_batch(Texts& texts, const std::vector<Gold>& gold,
                   std::vector<AttributedPrediction>& results) const;

  const Classifier& classifier_;
  const GoldReader& gold_;
  Parameters parameters_;
  std::vector<Part> parts_;
  std::vector<double> sums_;  // of worth
  std::size_t rows_ = 0;
  std::vector<std::size_t> sampled_parts_;  // their numbers
  std::vector<Sampled> sample_;
  std::mt19937_64 random_;
};

}  // namespace headlight
