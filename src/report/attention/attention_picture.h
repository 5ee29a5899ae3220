// Attention as a picture for a paper.
#pragma once

#include <string>

#include "base/output.h"
#include "metrics/attention_view.h"
#include "report/attention/attention_look.h"

namespace headlight {

/// A whole SVG document: one head or the rollout with its tokens beside it, or a grid of heads, a
/// row a layer and a column a head; one scale for all, from 0 to the greatest weight. With
/// `numbers` these stand in the cells.
std::string attention_picture(const AttentionView& view, bool numbers);

void write_attention_picture(const AttentionView& view, const AttentionLook& look, Output& output);

}  // namespace headlight
