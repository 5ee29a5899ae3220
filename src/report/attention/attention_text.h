// Attention for a terminal: heat maps of coloured or shaded cells, or where these do not fit each
// query's strongest keys.
#pragma once

#include <cstddef>
#include <string>

#include "base/output.h"
#include "metrics/attention_view.h"
#include "report/attention/attention_look.h"

namespace headlight {

struct TerminalLook {
  std::size_t columns = 80;  // at least 40
  bool color = false;        // of 256; else shades
  bool numbers = false;      // in the cells, instead of shades
  bool lists = false;        // of each query's strongest keys, though the heat map would fit
  unsigned decimals = 2;
};

/// The chosen heads one below the other, or the rollout. Begins with an empty line.
std::string attention_text(const AttentionView& view, const TerminalLook& look);

/// For those who chose none: the mean of the last layer's heads, and a line a head of what it
/// mostly looks at. Begins with an empty line.
std::string attention_overview(const AttentionView& view, const TerminalLook& look);

/// The verdict, then the statistics, the chosen heads or the overview.
void write_attention_text(const AttentionView& view, const AttentionLook& look, Output& output);

}  // namespace headlight
