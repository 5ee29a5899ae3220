// What each head attends to over the rows of a file.
#pragma once

#include <any>

#include "metrics/attention_statistics.h"
#include "rows/row_scorer.h"

namespace headlight {

/// Sums up the attention of each row where it is traced. The summary is an AttentionSums.
class AttentionSummarizer : public TraceSummarizer {
 public:
  Trace wanted() const override;
  std::any summarize(const Encoding& encoding, const TextTrace& trace) const override;
};

/// Adds what an AttentionSummarizer made of the row, if anything. Rows that are added in the same
/// order give the same bits.
void add_attention(AttentionSums& sums, const ScoredRow& row);

}  // namespace headlight
