// Attention statistics of each head over the rows of a file.
#pragma once

#include <any>

#include "inside/attention_statistics.h"
#include "rows/row_scorer.h"

namespace headlight {

/// Summarizes the attention of each traced row in an AttentionSums.
class AttentionSummarizer : public TraceSummarizer {
 public:
  Trace wanted() const override;
  std::any summarize(const Encoding& encoding, const TextTrace& trace) const override;
};

/// Adds the AttentionSummarizer's summary of the row, if there is one. The same rows in the same
/// order give the same bits.
void add_attention(AttentionSums& sums, const ScoredRow& row);

}  // namespace headlight
