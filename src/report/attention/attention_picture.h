// Attention as an SVG picture.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "inside/attention_view.h"
#include "report/attention/attention_look.h"
#include "report/formats/heat_map.h"

namespace headlight {

/// "layer 1, head 3", and ": negation" after it if that is its name.
std::string head_title(const Description& model, const AttentionLook& look, std::size_t layer,
                       std::size_t head);

/// A complete SVG document: one head or the rollout with its tokens beside it, or a grid of heads
/// with one row per layer and one column per head, and the label attention if there is some. All
/// share one scale from 0 to the largest weight, unless each has its own. Several texts are one
/// below the other.
class AttentionPicture {
 public:
  void add(const AttentionView& view, const AttentionLook& look);
  std::string document() const;

 private:
  std::vector<Drawing> drawings_;
  std::vector<std::string> texts_;
  std::string what_;
  std::string title_;
};

}  // namespace headlight
