// Every head's attention as one page that stands alone: no network, light and dark, for the eye,
// the keyboard and a screen reader. What it does in a browser is in page/.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/output.h"
#include "metrics/attention_view.h"
#include "metrics/traced_text.h"
#include "model/description.h"
#include "report/attention/attention_look.h"

namespace headlight {

/// What of a model is on the page, and how it opens.
struct PageOptions {
  std::vector<std::size_t> layers;  // numbers that the model has, rising; empty: all
  std::vector<std::size_t> heads;   // the same
  bool words = false;               // pieces of a word begin merged
};

/// HTML. Weights are kept to 1/4000, less than a byte each where most are small; the mean over all
/// heads of a layer too, up to the last layer that is shown, from which the page computes the
/// rollout. The trace must have attention. Throws Error where the model has no layers.
std::string attention_page(const Description& model, const TracedText& traced,
                           const PageOptions& options);

/// Of the layers and heads that were chosen.
void write_attention_page(const AttentionView& view, const AttentionLook& look, Output& output);

}  // namespace headlight
