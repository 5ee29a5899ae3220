#include "metrics/row_attention.h"

namespace headlight {

Trace AttentionSummarizer::wanted() const {
  Trace trace;
  trace.wants_attention = true;
  return trace;
}

std::any AttentionSummarizer::summarize(const Encoding& encoding, const TextTrace& trace) const {
  AttentionSums sums;
  sums.add(trace.attention, encoding.sequences);
  return sums;
}

void add_attention(AttentionSums& sums, const ScoredRow& row) {
  if (const auto* of_row = std::any_cast<AttentionSums>(&row.trace_summary)) sums.add(*of_row);
}

}  // namespace headlight
