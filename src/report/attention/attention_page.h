// The attention of all heads of a text, or of two texts or models side by side, as one
// self-contained page: no network, light and dark mode, usable with mouse, touch, keyboard and
// screen reader. The code that runs in the browser is in page/.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "inside/attention_view.h"
#include "report/attention/attention_look.h"

namespace headlight {

/// A page in HTML with the chosen layers and heads. Weights are stored in steps of 1/4000, which
/// takes less than a byte each if most are small. The page computes the rollout from each layer's
/// mean over its heads, which is stored up to the last shown layer.
class AttentionPage {
 public:
  /// The most texts on a page.
  static constexpr std::size_t kSides = 2;

  /// Adds a text. Throws Error if its model has no layers. At most kSides texts.
  void add(const AttentionView& view, const AttentionLook& look);
  /// Hands over the whole page, piece by piece; at least one text was added.
  void write(const std::function<void(std::string_view piece)>& write_piece) const;

 private:
  std::vector<std::string> models_;  // their names
  std::string data_;                 // one script element after another
};

/// HTML with the placeholders @TITLE@, @STEPS@ and @DATA@, each once and in this order, which
/// AttentionPage replaces. The build generates it from the files in page/ (page/page.cmake).
extern const std::string_view kPageTemplate;

}  // namespace headlight
