// Attention as an SVG picture.
#pragma once

#include <string>

#include "base/output.h"
#include "inside/attention_view.h"
#include "report/attention/attention_look.h"

namespace headlight {

/// A complete SVG document: one head or the rollout with its tokens beside it, or a grid of heads
/// with one row per layer and one column per head. All share one scale from 0 to the largest
/// weight. With `numbers`, the weights are printed in the cells.
std::string attention_picture(const AttentionView& view, bool numbers);

void write_attention_picture(const AttentionView& view, const AttentionLook& look, Output& output);

}  // namespace headlight
