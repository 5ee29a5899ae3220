// What is counted: right and wrong verdicts, a label at a time and all together. Everything is
// float64; a ratio without a denominator is 0, as with scikit-learn's zero_division=0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headlight {

/// Of one label.
struct LabelCounts {
  std::size_t found = 0;   // gold and predicted
  std::size_t wrong = 0;   // predicted alone
  std::size_t missed = 0;  // gold alone

  std::size_t support() const { return found + missed; }
  std::size_t predicted() const { return found + wrong; }
};

struct LabelMeasures {
  double precision = 0.0;     // found / predicted
  double recall = 0.0;        // found / support
  double f1 = 0.0;            // 2 found / (predicted + support)
  std::size_t support = 0;    // rows that have the label
  std::size_t predicted = 0;  // 0: precision has no denominator
};

LabelMeasures measures_of(const LabelCounts& counts);

struct AverageF1 {
  double macro = 0.0;     // plain mean over the labels
  double micro = 0.0;     // of all counts together
  double weighted = 0.0;  // mean over the labels, by their support
};

/// Which labels the macro mean is over: those in gold or predicted (of which each row has one), or
/// all of them (of which a row has any number). Both are what scikit-learn takes by itself.
enum class AveragedLabels : std::uint8_t { seen, all };

AverageF1 average_f1(std::span<const LabelCounts> counts, AveragedLabels averaged);

/// Rows that have one label each. Rows of the matrix are gold, columns predicted.
class ConfusionMatrix {
 public:
  explicit ConfusionMatrix(std::size_t labels) : labels_(labels), cells_(labels * labels) {}

  void add(std::size_t gold, std::size_t predicted) { ++cells_[gold * labels_ + predicted]; }

  std::size_t labels() const { return labels_; }
  std::size_t at(std::size_t gold, std::size_t predicted) const {
    return cells_[gold * labels_ + predicted];
  }
  std::size_t rows() const;
  /// Those on the diagonal.
  std::size_t right() const;
  std::vector<LabelCounts> counts() const;

 private:
  std::size_t labels_;
  std::vector<std::size_t> cells_;
};

/// Rows that have any number of labels.
class MultiLabelCounts {
 public:
  explicit MultiLabelCounts(std::size_t labels) : counts_(labels) {}

  /// A flag a label.
  void add(const std::vector<bool>& gold, const std::vector<bool>& predicted);

  const std::vector<LabelCounts>& counts() const { return counts_; }
  /// Rows with all labels right, of all rows.
  double subset_accuracy() const;
  /// Labels that are wrong or missed, of all labels of all rows.
  double hamming_loss() const;

 private:
  std::vector<LabelCounts> counts_;
  std::size_t rows_ = 0;
  std::size_t right_rows_ = 0;
};

}  // namespace headlight
