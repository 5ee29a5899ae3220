#include "report/attention/attention_picture.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "report/attention/strongest_tokens.h"
#include "report/formats/heat_map.h"
#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/formats/svg.h"

namespace headlight {
namespace {

constexpr double kHeatMapMargin = 12.0;   // around everything, in pixels
constexpr double kGap = 18.0;             // between the maps of a grid
constexpr std::size_t kMostBoxes = 8192;  // in a grid
constexpr double kNamedCell = 13.0;       // the smallest cell with room for a name beside it

/// The side of a cell: large for few tokens, small enough for a page if there are many.
double cell_size(const AttentionView& view, bool alone, bool numbers) {
  constexpr double kNumberedCell = 28.0;
  constexpr double kWidth = 900.0;  // approximate width of one map
  constexpr double kGridWidth = 260.0;
  if (numbers) return kNumberedCell;
  const auto tokens = static_cast<double>(std::max(view.width(), view.rows()));
  return alone ? std::clamp(kWidth / tokens, kNamedCell, kNumberedCell)
               : std::clamp(kGridWidth / tokens, 1.0, 18.0);
}

/// One map, with all names and the scale. `alone`: it is not in a grid.
HeatMap map_of(const AttentionView& view, const AttentionLook& look, bool alone, std::size_t layer,
               std::vector<float> values) {
  HeatMap map;
  map.width = view.width();
  map.values = std::move(values);
  map.cell = cell_size(view, alone, look.numbers);
  map.numbers = look.numbers;
  const AttentionChoice& choice = view.choice();
  const std::size_t maps = choice.layers.size() * choice.heads.size();
  if (!alone) map.most_boxes = kMostBoxes / std::max<std::size_t>(maps, 1);
  if (map.cell < kNamedCell) return map;
  for (const TokenWord& unit : choice.rollout ? choice.units : view.keys_of(layer)) {
    map.columns.push_back(shown_unit(unit));
  }
  for (const TokenWord& unit : view.queries_of(layer)) map.rows.push_back(shown_unit(unit));
  return map;
}

ColourScale scale_to(double most) { return {0.0, most > 0.0 ? most : 1.0}; }

/// Places the maps row by row with their cells aligned.
Drawing aligned(const std::vector<std::vector<Drawing>>& grid) {
  std::vector<double> left(grid.front().size(), 0.0);  // left margin of the cells in each column
  std::vector<double> right(grid.front().size(), 0.0);
  for (const auto& row : grid) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      left[i] = std::max(left[i], row[i].left);
      right[i] = std::max(right[i], row[i].width - row[i].left);
    }
  }
  Drawing all;
  for (const auto& row : grid) {
    double top = 0.0;
    double bottom = 0.0;
    for (const Drawing& map : row) {
      top = std::max(top, map.top);
      bottom = std::max(bottom, map.height - map.top);
    }
    double x = 0.0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      all.content +=
          svg_group(x + left[i] - row[i].left, all.height + top - row[i].top, row[i].content);
      x += left[i] + right[i] + kGap;
    }
    all.width = std::max(all.width, x - kGap);
    all.height += top + bottom + kGap;
  }
  all.height -= kGap;
  return all;
}

std::string document(const Drawing& drawing, const std::string& what, const AttentionView& view) {
  std::string label = what + ": " + view.traced().input.text;
  if (view.traced().input.pair) label += kPairArrow + *view.traced().input.pair;
  return svg_document(drawing.width + 2 * kHeatMapMargin, drawing.height + 2 * kHeatMapMargin,
                      html_text(label), svg_group(kHeatMapMargin, kHeatMapMargin, drawing.content));
}

std::string title_of(const AttentionView& view, std::size_t layer, std::size_t head) {
  return "layer " + layer_label(view.model(), layer) + ", head " + std::to_string(head);
}

std::string rollout_picture(const AttentionView& view, const AttentionLook& look) {
  const std::vector<double> rollout = view.rollout();
  HeatMap map = map_of(view, look, true, view.last_layer(), {rollout.begin(), rollout.end()});
  map.title = "rollout";
  map.scale = scale_to(std::ranges::max(map.values));
  return document(draw(map), "Attention rollout", view);
}

}  // namespace

std::string attention_picture(const AttentionView& view, const AttentionLook& look) {
  const AttentionChoice& choice = view.choice();
  if (choice.rollout) return rollout_picture(view, look);
  const std::string kind = look.difference   ? "Difference of attention"
                           : choice.weighted ? "Norm-weighted attention"
                                             : "Attention";
  const bool alone = choice.layers.size() == 1 && choice.heads.size() == 1;
  const std::string suffix = alone && choice.weighted ? ", norm-weighted" : "";
  ColourScale scale = scale_to(view.largest_shown());
  if (look.difference) scale = {-scale.high, scale.high, /*diverging=*/true, /*orange=*/true};
  std::vector<std::vector<Drawing>> grid;
  const std::vector<TokenWord>* named = nullptr;  // the keys of the layer above
  for (const std::size_t layer : choice.layers) {
    auto& row = grid.emplace_back();
    const bool upper_edge = layer == choice.layers.front();
    const bool is_named = &view.keys_of(layer) != named;
    named = &view.keys_of(layer);
    for (const std::size_t head : choice.heads) {
      HeatMap map = map_of(view, look, alone, layer, view.shown(layer, head));
      map.title = title_of(view, layer, head) + suffix;
      map.scale = scale;
      // In a grid, only maps at the left and above other keys have names, and only one has the
      // scale.
      if (head != choice.heads.front()) map.rows.clear();
      if (!is_named) map.columns.clear();
      map.legend = upper_edge && head == choice.heads.back();
      row.push_back(draw(map));
    }
  }
  const std::string what =
      alone ? kind + " of " + title_of(view, choice.layers[0], choice.heads[0]) : kind;
  return document(grid.empty() ? Drawing() : aligned(grid), what, view);
}

}  // namespace headlight
