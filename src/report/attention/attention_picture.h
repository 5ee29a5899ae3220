// Attention as an SVG picture.
#pragma once

#include <string>

#include "inside/attention_view.h"
#include "report/attention/attention_look.h"

namespace headlight {

/// A complete SVG document: one head or the rollout with its tokens beside it, or a grid of heads
/// with one row per layer and one column per head. All share one scale from 0 to the largest
/// weight.
std::string attention_picture(const AttentionView& view, const AttentionLook& look);

}  // namespace headlight
