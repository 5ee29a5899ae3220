// Attention for a terminal: heat maps of coloured or shaded cells, or each query's strongest keys
// if a heat map does not fit.
#pragma once

#include <string>

#include "inside/attention_view.h"
#include "report/attention/attention_look.h"

namespace headlight {

/// The chosen heads one below another, or the rollout. Begins with an empty line.
std::string attention_text(const AttentionView& view, const AttentionLook& look);

/// If no heads were chosen: the mean of the last layer's heads, and one line per head with the
/// token that it attends to most. Begins with an empty line.
std::string attention_overview(const AttentionView& view, const AttentionLook& look);

/// The prediction, then the statistics, the chosen heads or the overview.
std::string attention_document(const AttentionView& view, const AttentionLook& look);

}  // namespace headlight
