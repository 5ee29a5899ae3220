// The attention of all heads as one self-contained page: no network, light and dark mode, usable
// with mouse, keyboard and screen reader. The code that runs in the browser is in page/.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/output.h"
#include "metrics/attention_view.h"
#include "metrics/traced_text.h"
#include "model/description.h"
#include "report/attention/attention_look.h"

namespace headlight {

/// The layers and heads on the page, and its initial state.
struct PageOptions {
  std::vector<std::size_t> layers;  // layer numbers, ascending; empty: all
  std::vector<std::size_t> heads;   // the same
  bool words = false;               // word pieces are merged at first
  /// Called with the number of layers that are packed; may be empty.
  std::function<void(std::size_t done, std::size_t layers)> progress = {};
};

/// HTML. Weights are stored in steps of 1/4000, which takes less than a byte each if most are
/// small. The page computes the rollout from each layer's mean over its heads, which is stored up
/// to the last shown layer. The trace must contain attention. Throws Error if the model has no
/// layers.
std::string attention_page(const Description& model, const TracedText& traced,
                           const PageOptions& options);

/// The page with the chosen layers and heads.
void write_attention_page(const AttentionView& view, const AttentionLook& look, Output& output);

}  // namespace headlight
