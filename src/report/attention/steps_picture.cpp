// The steps of one query of the heads of a layer, as a picture and a page.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "inside/layer_kind.h"
#include "report/attention/attention_picture.h"
#include "report/attention/steps_report.h"
#include "report/formats/heat_map.h"
#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/formats/svg.h"

namespace headlight {
namespace {

constexpr double kStepCell = 34.0;       // with a number in it
constexpr double kStripCell = 9.0;       // of a vector that is too long for numbers
constexpr double kStepMargin = 14.0;     // around everything
constexpr double kBetweenHeads = 30.0;   // beside and below a head
constexpr double kWidest = 2500.0;       // of heads side by side
constexpr double kLine = 26.0;           // height of a line of text
constexpr std::size_t kMostNumbers = 8;  // of a vector, in a head
constexpr std::size_t kMostJoined = 32;  // of what is made of the heads

const char* const kStepsFormula =
    "weight = softmax(q · k × scale), and what the model adds for positions; output = sum of "
    "weight × v";

/// From red over white to blue, with 0 in the middle.
ColourScale scale_around_zero(std::initializer_list<const std::vector<float>*> vectors) {
  double most = 0.0;
  for (const auto* const vector : vectors) {
    for (const float value : *vector) {
      if (std::isfinite(value)) most = std::max(most, std::abs(double{value}));
    }
  }
  if (most == 0.0) most = 1.0;
  return {-most, most, /*diverging=*/true};
}

HeatMap matrix(const std::string& title, const std::vector<float>& values, std::size_t width,
               const ColourScale& scale) {
  HeatMap map;
  map.title = title;
  map.values = values;
  map.width = width;
  map.scale = scale;
  map.numbers = true;
  map.cell = kStepCell;
  map.legend = false;
  return map;
}

/// One vector, in numbers if it has at most `most` of them, else in rows of `width` small cells.
Drawing vector_drawing(const std::string& title, const std::vector<float>& values,
                       const ColourScale& scale, std::size_t most, std::size_t width) {
  const bool is_short = values.size() <= most;
  HeatMap map = matrix(title, values, is_short ? values.size() : width, scale);
  if (is_short) return draw(map);
  map.numbers = false;
  map.cell = kStripCell;
  map.legend = true;
  return draw(map);
}

Drawing stacked(const std::vector<Drawing>& parts, double gap) {
  Drawing all;
  for (const Drawing& part : parts) {
    all.content += svg_group(0, all.height, part.content);
    all.width = std::max(all.width, part.width);
    all.height += part.height + gap;
  }
  return all;
}

/// Beside each other as far as there is room, and below.
Drawing side_by_side(const std::vector<Drawing>& parts) {
  Drawing all;
  double x = 0.0;
  double y = 0.0;
  for (const Drawing& part : parts) {
    if (x > 0.0 && x + part.width > kWidest) {
      x = 0.0;
      y = all.height + kBetweenHeads;
    }
    all.content += svg_group(x, y, part.content);
    x += part.width + kBetweenHeads;
    all.width = std::max(all.width, x - kBetweenHeads);
    all.height = std::max(all.height, y + part.height);
  }
  return all;
}

Drawing line_drawing(const std::string& text, const std::string& attributes) {
  constexpr double kLetterOfLine = 8.0;  // about the width of one
  Drawing line;
  line.height = kLine;
  line.width = kLetterOfLine * static_cast<double>(width_of(text));
  line.content = svg_text(0, kLine / 2, R"(dy="0.35em" )" + attributes, html_text(text));
  return line;
}

/// q above, what is computed for each key in the middle, and the output below the values.
Drawing head_drawing(const TracedText& text, const HeadSteps& steps, const std::string& title) {
  const std::size_t e = steps.vector.size();
  const bool is_short = e <= kMostNumbers;
  const ColourScale keys = scale_around_zero({&steps.vector, &steps.keys});
  const ColourScale values = scale_around_zero({&steps.values});
  std::vector<HeatMap> maps;
  if (is_short) maps.push_back(matrix("k", steps.keys, e, keys));
  maps.push_back(matrix("q · k", steps.products, 1, scale_around_zero({&steps.products})));
  maps.push_back(matrix(formatted("× %.3g", steps.scale), steps.scores, 1,
                        scale_around_zero({&steps.scores})));
  maps.push_back(matrix("softmax", steps.weights, 1, {}));
  if (is_short) maps.push_back(matrix("v", steps.values, e, values));
  maps.front().row_title = "key";
  for (std::size_t key = 0; key < steps.weights.size(); ++key) {
    maps.front().rows.push_back(token_of_steps(text, steps.target_keys, key));
  }
  std::vector<Drawing> middle;
  middle.reserve(maps.size());
  for (const HeatMap& map : maps) middle.push_back(draw(map));
  const std::string query = token_of_steps(text, steps.target_query, steps.query);
  const Drawing q = vector_drawing("q: " + query, steps.vector, keys, kMostNumbers, e);
  const Drawing output =
      vector_drawing("output = Σ weight × v", steps.output, values, kMostNumbers, e);
  const Drawing heading = line_drawing(title, R"(font-size="14" font-weight="bold")");
  if (!is_short) return stacked({heading, q, aligned({middle}), output}, kLine / 2);
  return stacked({heading, aligned({{q}, middle, {{}, {}, {}, {}, output}})}, 0);
}

/// The outputs of all heads in one vector, and its projection.
std::vector<Drawing> joined_drawings(const LayerSteps& layer) {
  const std::size_t e = layer.heads.front().output.size();
  const auto width = [&](std::size_t size) { return size % e == 0 ? e : size; };
  std::vector<Drawing> drawings;
  const auto add = [&](const std::string& title, const std::vector<float>& values) {
    drawings.push_back(vector_drawing(title, values, scale_around_zero({&values}), kMostJoined,
                                      width(values.size())));
  };
  add("concatenation: the outputs of the heads, one after another", layer.joined);
  if (!layer.projected.empty()) {
    add("projection: concatenation · Wᵀ + b, what attention gives", layer.projected);
  }
  return drawings;
}

Drawing steps_drawing(const TracedText& text, const ShownSteps& steps, const AttentionLook& look,
                      const Description& model) {
  std::vector<Drawing> heads;
  for (const HeadSteps& head : steps.layer.heads) {
    heads.push_back(head_drawing(text, head, head_title(model, look, head.layer, head.head)));
  }
  std::vector<Drawing> parts = {line_drawing(kStepsFormula, R"(font-style="italic")"),
                                side_by_side(heads)};
  if (steps.whole) {
    for (Drawing& drawing : joined_drawings(steps.layer)) parts.push_back(std::move(drawing));
  }
  return stacked(parts, kLine / 2);
}

std::string label_of(const TracedText& text, const ShownSteps& steps) {
  const HeadSteps& first = steps.layer.heads.front();
  return "The steps of attention of " + token_of_steps(text, first.target_query, first.query) +
         " in layer " + std::to_string(first.layer);
}

}  // namespace

std::string steps_picture(const TracedText& text, const ShownSteps& steps,
                          const AttentionLook& look, const Description& model) {
  const Drawing drawing = steps_drawing(text, steps, look, model);
  return svg_document(drawing.width + 2 * kStepMargin, drawing.height + 2 * kStepMargin,
                      html_text(label_of(text, steps)),
                      svg_group(kStepMargin, kStepMargin, drawing.content), look.title);
}

std::string steps_page(const TracedText& text, const ShownSteps& steps, const AttentionLook& look,
                       const Description& model) {
  const Drawing drawing = steps_drawing(text, steps, look, model);
  const std::string title = label_of(text, steps);
  std::string body = html_picture(drawing.width, drawing.height, html_text(title), drawing.content);
  for (const HeadSteps& head : steps.layer.heads) {
    const std::string name = html_text(head_title(model, look, head.layer, head.head));
    body +=
        "<h2>" + name + "</h2>" + html_scroller(name, html_table(table_of_steps(text, head), 1));
  }
  return html_page(title, body);
}

}  // namespace headlight
