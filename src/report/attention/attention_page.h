// The attention of all heads of a text, or of two texts or models side by side, as one
// self-contained page: no network, light and dark mode, usable with mouse, touch, keyboard and
// screen reader. The code that runs in the browser is in page/.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "inside/attention_view.h"
#include "report/attention/attention_look.h"

namespace headlight {

using WritePiece = std::function<void(std::string_view piece)>;

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
  void write(const WritePiece& write_piece) const;

 private:
  std::vector<std::string> models_;  // their names
  std::string data_;                 // one script element after another
};

// What it has in common with a page that computes attention itself (live_page.h).

/// What stands around the data.
struct PageFrame {
  std::vector<std::string> models;  // their names, one per side
  std::string_view scripts;         // more sources for script-src of its policy
  std::string_view policy;          // more directives of the policy
  std::string note;                 // a sentence at the end
};
void write_page(const WritePiece& write, const PageFrame& frame, std::string_view data);
/// A script element with JSON that the page's scripts read. "<", which occurs only in strings, is
/// escaped, so that no markup can begin.
std::string data_element(const std::string& name, std::size_t side, std::string_view json);
/// Of a side, counted from 1: "data", "data-2".
std::string name_on_side(const std::string& name, std::size_t side);
/// The field "residuals": whether each layer has one, which the rollout needs.
void write_residuals(JsonWriter& json, std::span<const LayerDescription> layers);
inline constexpr const char* kElementEnd = "</script>\n";

/// HTML with the placeholders @WASM@ and @WORKERS@ in its policy, @TITLE@, @NOTE@ and @DATA@, each
/// once and in this order. The build generates it from the files in page/ (page/page.cmake).
extern const std::string_view kPageTemplate;

}  // namespace headlight
