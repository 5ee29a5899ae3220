#include "report/attention/attention_picture.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "report/attention/strongest_tokens.h"
#include "report/formats/heat_map.h"
#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/formats/svg.h"

namespace headlight {
namespace {

constexpr double kHeatMapMargin = 12.0;   // around everything, in pixels
constexpr double kLetterOfText = 8.5;     // about the width of one in the text above its maps
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
  map.row_title = "query";
  map.column_title = "key";
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

/// The scale of one map, or of all.
ColourScale scale_of(const HeatMap& map, const AttentionLook& look, double most) {
  if (look.own_scales && !map.values.empty()) {
    const auto [least, largest] = std::ranges::minmax(map.values);
    if (least < largest) return {least, largest};
  }
  const double high = most > 0.0 ? most : 1.0;
  if (look.difference) return {-high, high, /*diverging=*/true, /*orange=*/true};
  return {0.0, high};
}

Drawing rollout_drawing(const AttentionView& view, const AttentionLook& look) {
  const std::vector<double> rollout = view.rollout();
  HeatMap map = map_of(view, look, true, view.last_layer(), {rollout.begin(), rollout.end()});
  map.title = "rollout";
  map.scale = scale_of(map, look, std::ranges::max(map.values));
  return draw(map);
}

/// A map of labels by tokens for each head of the label attention.
std::vector<Drawing> label_drawings(const AttentionView& view, const AttentionLook& look) {
  const Description& model = view.model();
  const std::size_t heads = model.label_heads.sizes.size();
  std::vector<HeatMap> maps;
  double most = 0.0;
  for (std::size_t head = 0; head < heads; ++head) {
    std::vector<float> values;
    for (std::size_t label = 0; label < model.classes(); ++label) {
      const std::vector<float> weights = view.label_weights(label, head);
      values.insert(values.end(), weights.begin(), weights.end());
    }
    most = std::max(most, double{std::ranges::max(values)});
    maps.push_back(map_of(view, look, false, view.last_layer(), std::move(values)));
    maps.back().title = "label attention, head " + std::to_string(head);
    maps.back().row_title = head == 0 ? "label" : "";
    maps.back().rows = head == 0 ? shown_names(model.labels) : std::vector<std::string>();
    maps.back().legend = look.own_scales || head + 1 == heads;
  }
  std::vector<Drawing> row;
  for (HeatMap& map : maps) {
    map.scale = scale_of(map, look, most);
    row.push_back(draw(map));
  }
  return row;
}

std::vector<std::vector<Drawing>> grid_of(const AttentionView& view, const AttentionLook& look) {
  const AttentionChoice& choice = view.choice();
  const bool alone = choice.layers.size() == 1 && choice.heads.size() == 1;
  const std::string suffix = alone && choice.weighted ? ", norm-weighted" : "";
  const double most = view.largest_shown();
  std::vector<std::vector<Drawing>> grid;
  const std::vector<TokenWord>* named = nullptr;  // the keys of the layer above
  for (const std::size_t layer : choice.layers) {
    auto& row = grid.emplace_back();
    const bool upper_edge = layer == choice.layers.front();
    const bool is_named = &view.keys_of(layer) != named;
    named = &view.keys_of(layer);
    for (const std::size_t head : choice.heads) {
      HeatMap map = map_of(view, look, alone, layer, view.shown(layer, head));
      map.title = head_title(view.model(), look, layer, head) + suffix;
      map.scale = scale_of(map, look, most);
      // In a grid, only maps at the left and above other keys have names, and only one has the
      // scale of all.
      const bool left_edge = head == choice.heads.front();
      if (!left_edge) map.rows.clear();
      if (!left_edge) map.row_title.clear();
      if (!is_named) map.columns.clear();
      if (!is_named) map.column_title.clear();
      map.legend = look.own_scales || (upper_edge && head == choice.heads.back());
      row.push_back(draw(map));
    }
  }
  if (view.has_label_attention() && !look.heads && !look.difference) {
    grid.push_back(label_drawings(view, look));
  }
  return grid;
}

std::string name_of_picture(const AttentionView& view, const AttentionLook& look) {
  const AttentionChoice& choice = view.choice();
  if (choice.rollout) return "Attention rollout";
  std::string kind = look.difference   ? "Difference of attention"
                     : choice.weighted ? "Norm-weighted attention"
                                       : "Attention";
  if (choice.layers.size() != 1 || choice.heads.size() != 1) return kind;
  return kind + " of " + head_title(view.model(), look, choice.layers[0], choice.heads[0]);
}

}  // namespace

std::string head_title(const Description& model, const AttentionLook& look, std::size_t layer,
                       std::size_t head) {
  const auto name = look.head_names.find({layer, head});
  return "layer " + layer_label(model, layer) + ", head " + std::to_string(head) +
         (name == look.head_names.end() ? "" : ": " + name->second);
}

void AttentionPicture::add(const AttentionView& view, const AttentionLook& look) {
  const TextInput& input = view.traced().input;
  texts_.push_back(input.text + (input.pair ? kPairArrow + *input.pair : ""));
  what_ = name_of_picture(view, look);
  title_ = look.title;
  drawings_.push_back(view.choice().rollout ? rollout_drawing(view, look)
                                            : aligned(grid_of(view, look)));
}

std::string AttentionPicture::document() const {
  constexpr double kTextHeight = 26.0;
  constexpr std::size_t kTextColumns = 100;
  double width = 0.0;
  double y = kHeatMapMargin;
  std::string content;
  for (std::size_t i = 0; i < drawings_.size(); ++i) {
    if (drawings_.size() > 1) {
      const std::string text = html_text(cut_to(printable(texts_[i]), kTextColumns));
      content += svg_text(kHeatMapMargin, y + 8, R"(font-size="14" dy="0.35em")", text);
      width = std::max(width, kLetterOfText * static_cast<double>(width_of(text)));
      y += kTextHeight;
    }
    content += svg_group(kHeatMapMargin, y, drawings_[i].content);
    width = std::max(width, drawings_[i].width);
    y += drawings_[i].height + kHeatMapMargin;
  }
  return svg_document(width + 2 * kHeatMapMargin, y, html_text(what_ + ": " + joined(texts_, "; ")),
                      content, title_);
}

}  // namespace headlight
