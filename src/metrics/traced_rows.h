// Rows scored one by one, with what each head attended to.
#pragma once

#include <cstddef>
#include <functional>

#include "classifier/classifier.h"
#include "metrics/attention_statistics.h"
#include "rows/scoring.h"

namespace headlight {

/// The same rows, verdicts and order as score_rows() with `sink`; `attention` gets the sums over
/// those that were scored, the same bits whatever `threads`. Slower: texts are not computed
/// together.
void score_traced_rows(const Classifier& classifier, std::size_t threads, const RowSupply& supply,
                       const RowSink& sink, AttentionSums& attention);

}  // namespace headlight
