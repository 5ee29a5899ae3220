// The n-grams of rows as features of a last layer, beside the vectors of their texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "model/model.h"
#include "training/head/head_fitting.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

/// More labels would make the table of n-grams larger than most encoders.
inline constexpr std::size_t kMostNgramLabels = 16;

/// N-grams of one and two tokens of `model`, in a table for these rows.
NgramDescription label_ngrams_for(const Model& model, std::size_t labels,
                                  const std::vector<LabelledRow>& rows);

/// The share of each n-gram of a row in what Description::label_ngrams adds: a column is a bucket.
/// Only the first window of a row is read.
SparseRows label_ngram_shares(const NgramDescription& ngrams, const RowPointers& rows);

/// Features of rows: the shares of their n-grams times the inverse document frequency of each
/// (Spärck Jones 1972), scaled.
class LabelNgrams {
 public:
  /// Counts the n-grams of rows to train on, and puts their features beside their vectors. The mean
  /// square of these features, where that of a vector is 1, grows with the rows from 1 to 16:
  /// n-grams need more rows to be trusted.
  LabelNgrams(NgramDescription ngrams, const RowPointers& counted, FittingRows& fitting);

  const NgramDescription& description() const { return ngrams_; }
  /// Puts the features of other rows beside their vectors, as far as the n-grams were counted. All
  /// features live as long as this object.
  void put_beside(const RowPointers& rows, FittingRows& fitting);
  /// [B, c] of a head for c labels that was fitted to features.
  std::vector<float> table(const LinearHead& head, std::size_t labels) const;

 private:
  void put_beside(const SparseRows& shares, FittingRows& fitting);

  NgramDescription ngrams_;
  std::vector<std::uint32_t> buckets_;  // of the n-grams that were counted, ascending
  std::vector<double> factors_;         // of each
  std::deque<SparseRows> rows_;
};

}  // namespace headlight
