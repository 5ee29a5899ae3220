#include "report/attention/attention_picture.h"

#include <algorithm>
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

class Picture {
 public:
  Picture(const AttentionView& view, bool alone, bool numbers, double most) {
    for (const TokenWord& unit : view.choice().units) columns_.push_back(shown_unit(unit));
    for (const std::size_t query : view.choice().queries) rows_.push_back(columns_[query]);
    map_.width = view.width();
    map_.scale = {0.0, most > 0.0 ? most : 1.0};
    map_.cell = cell_size(view, alone, numbers);
    map_.numbers = numbers;
    const std::size_t maps = view.choice().layers.size() * view.choice().heads.size();
    if (!alone) map_.most_boxes = kMostBoxes / std::max<std::size_t>(maps, 1);
  }

  /// One map. In a grid, only maps at the upper and left edge have names, and only the one in the
  /// upper right corner has the scale.
  Drawing draw(const std::string& title, std::vector<float> values, bool left_edge, bool upper_edge,
               bool right_corner) const {
    HeatMap map = map_;
    map.title = title;
    map.values = std::move(values);
    const bool named = map.cell >= kNamedCell;
    if (named && left_edge) map.rows = rows_;
    if (named && upper_edge) map.columns = columns_;
    map.legend = right_corner;
    return headlight::draw(map);
  }

 private:
  HeatMap map_;
  std::vector<std::string> columns_;
  std::vector<std::string> rows_;
};

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

std::string title_of(std::size_t layer, std::size_t head) {
  return "layer " + std::to_string(layer) + ", head " + std::to_string(head);
}

std::string rollout_picture(const AttentionView& view, bool numbers) {
  const std::vector<double> wide = view.rollout();
  const std::vector<float> values(wide.begin(), wide.end());
  const double most = *std::max_element(values.begin(), values.end());
  const Picture picture(view, true, numbers, most);
  return document(picture.draw("rollout", values, true, true, true), "Attention rollout", view);
}

}  // namespace

std::string attention_picture(const AttentionView& view, const AttentionLook& look) {
  const AttentionChoice& choice = view.choice();
  if (choice.rollout) return rollout_picture(view, look.numbers);
  double most = 0.0;
  for (const std::size_t layer : choice.layers) {
    for (const std::size_t head : choice.heads) {
      const std::vector<float> values = view.shown(layer, head);
      most = std::max<double>(most, *std::max_element(values.begin(), values.end()));
    }
  }
  const std::string kind = choice.weighted ? "Norm-weighted attention" : "Attention";
  const bool alone = choice.layers.size() == 1 && choice.heads.size() == 1;
  const Picture picture(view, alone, look.numbers, most);
  const std::string suffix = alone && choice.weighted ? ", norm-weighted" : "";
  std::vector<std::vector<Drawing>> grid;
  for (const std::size_t layer : choice.layers) {
    auto& row = grid.emplace_back();
    const bool upper_edge = layer == choice.layers.front();
    for (const std::size_t head : choice.heads) {
      row.push_back(picture.draw(title_of(layer, head) + suffix, view.shown(layer, head),
                                 head == choice.heads.front(), upper_edge,
                                 upper_edge && head == choice.heads.back()));
    }
  }
  const std::string what =
      alone ? kind + " of " + title_of(choice.layers[0], choice.heads[0]) : kind;
  return document(grid.empty() ? Drawing() : aligned(grid), what, view);
}

}  // namespace headlight
