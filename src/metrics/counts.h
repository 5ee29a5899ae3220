// Counts of correct and wrong predictions, per label and in total, and measures of them. Measures
// are float64; a ratio whose denominator is 0 is 0, as with scikit-learn's zero_division=0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/measure.h"

namespace headlight {

/// Counts for one label.
struct LabelCounts {
  std::size_t found = 0;   // gold and predicted
  std::size_t wrong = 0;   // predicted, not gold
  std::size_t missed = 0;  // gold, not predicted

  std::size_t support() const { return found + missed; }
  std::size_t predicted() const { return found + wrong; }
};

struct LabelMeasures {
  double precision = 0.0;     // found / predicted
  double recall = 0.0;        // found / support
  double f1 = 0.0;            // 2 found / (predicted + support)
  std::size_t support = 0;    // rows that have the label
  std::size_t predicted = 0;  // 0: precision is undefined
};

LabelMeasures measures_of(const LabelCounts& counts);

struct AverageF1 {
  double macro = 0.0;     // plain mean over the labels
  double micro = 0.0;     // of the counts of all labels
  double weighted = 0.0;  // mean over the labels, weighted by support
};

/// The labels in the macro mean: only those that are gold or predicted somewhere (for single-label
/// rows), or all (for multi-label rows). Both are scikit-learn's defaults.
enum class AveragedLabels : std::uint8_t { seen, all };

AverageF1 average_f1(std::span<const LabelCounts> counts, AveragedLabels averaged);
void add_f1(const AverageF1& f1, std::vector<Measure>& measures);

/// A gold label, the wrong label predicted for it, and the number of such rows.
struct Mistake {
  std::size_t gold;
  std::size_t predicted;
  std::size_t rows;
};

/// For rows with one label each. Matrix rows are gold labels, columns are predicted labels. Gold
/// labels that are never predicted may be more rows.
class ConfusionMatrix {
 public:
  explicit ConfusionMatrix(std::size_t labels)
      : labels_(labels), gold_labels_(labels), cells_(labels * labels) {}

  void add(std::size_t gold, std::size_t predicted);

  std::size_t labels() const { return labels_; }
  /// At least labels().
  std::size_t gold_labels() const { return gold_labels_; }
  std::size_t at(std::size_t gold, std::size_t predicted) const {
    return cells_[gold * labels_ + predicted];
  }
  std::size_t rows() const;
  /// The sum of the diagonal.
  std::size_t right() const;
  std::vector<LabelCounts> counts() const;
  /// The most frequent ones first, at most `most`.
  std::vector<Mistake> worst_mistakes(std::size_t most) const;

 private:
  std::size_t labels_;
  std::size_t gold_labels_;
  std::vector<std::size_t> cells_;
};

/// Counts for rows with any number of labels.
class MultiLabelCounts {
 public:
  explicit MultiLabelCounts(std::size_t labels) : counts_(labels) {}

  /// One flag per label; more than before for labels that are never predicted.
  void add(const std::vector<bool>& gold, const std::vector<bool>& predicted);

  const std::vector<LabelCounts>& counts() const { return counts_; }
  /// Rows with all labels correct.
  std::size_t right_rows() const { return right_rows_; }
  /// Their share.
  double subset_accuracy() const;
  /// The share of wrong or missed labels among all labels of all rows.
  double hamming_loss() const;

 private:
  std::vector<LabelCounts> counts_;
  std::size_t rows_ = 0;
  std::size_t right_rows_ = 0;
};

}  // namespace headlight
