// Attention for a terminal: heat maps of coloured or shaded cells, or each query's strongest keys
// if a heat map does not fit.
#pragma once

#include <cstddef>
#include <string>

#include "base/output.h"
#include "inside/attention_view.h"
#include "report/attention/attention_look.h"

namespace headlight {

struct TerminalLook {
  std::size_t columns = 80;  // at least 40
  bool color = false;        // else shades
  bool numbers = false;      // print weights in the cells instead of shades
  bool lists = false;        // list each query's strongest keys even if a heat map would fit
  unsigned decimals = 2;
  TerminalColours colours;  // if `color`
};

/// The chosen heads one below another, or the rollout. Begins with an empty line.
std::string attention_text(const AttentionView& view, const TerminalLook& look);

/// If no heads were chosen: the mean of the last layer's heads, and one line per head with the
/// token that it attends to most. Begins with an empty line.
std::string attention_overview(const AttentionView& view, const TerminalLook& look);

/// The prediction, then the statistics, the chosen heads or the overview.
void write_attention_text(const AttentionView& view, const AttentionLook& look, Output& output);

}  // namespace headlight
