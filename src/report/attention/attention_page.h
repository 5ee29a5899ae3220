// The attention of all heads of a text, or of two texts or models side by side, as one
// self-contained page: no network, light and dark mode, usable with mouse, touch, keyboard and
// screen reader. The code that runs in the browser is in page/.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/output.h"
#include "inside/attention_view.h"
#include "inside/traced_text.h"
#include "model/description.h"
#include "report/attention/attention_look.h"
#include "report/attention/attention_series.h"

namespace headlight {

/// The layers and heads on the page, and its initial state.
struct PageOptions {
  std::vector<std::size_t> layers;   // layer numbers, ascending; empty: all
  std::vector<std::size_t> heads;    // the same
  bool words = false;                // word pieces are merged at first
  const HeadWorth* worth = nullptr;  // shown beside each head; nullptr: unknown
  /// Called with the number of layers that are packed; may be empty.
  std::function<void(std::size_t done, std::size_t layers)> progress = {};
};

/// A page in HTML. Weights are stored in steps of 1/4000, which takes less than a byte each if most
/// are small. The page computes the rollout from each layer's mean over its heads, which is stored
/// up to the last shown layer.
class AttentionPage {
 public:
  /// The most texts on a page.
  static constexpr std::size_t kSides = 2;

  /// Adds a text, with the model that read it. The trace must contain attention. Throws Error if
  /// the model has no layers. At most kSides texts.
  void add(const Description& model, const TracedText& traced, const PageOptions& options);
  /// The whole page; at least one text was added.
  std::string html() const;

 private:
  std::vector<std::string> models_;  // their names
  std::string data_;                 // one script element after another
};

/// The page of one text.
std::string attention_page(const Description& model, const TracedText& traced,
                           const PageOptions& options);

/// The page with the chosen layers and heads.
void write_attention_page(const AttentionView& view, const AttentionLook& look, Output& output);

/// The page of up to AttentionPage::kSides texts. A text that cannot be scored ends it with a
/// TextError.
std::unique_ptr<AttentionSeries> attention_side_by_side(Output& output);

}  // namespace headlight
