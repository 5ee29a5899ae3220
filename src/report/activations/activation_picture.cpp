#include "report/activations/activation_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "report/activations/activation_report.h"
#include "report/formats/heat_map.h"
#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/formats/svg.h"

namespace headlight {
namespace {

constexpr double kPageMargin = 20.0;
constexpr double kLetter = 7.0;       // approximate width of a letter
constexpr double kTitle = 30.0;       // height of a model's name and text
constexpr double kHeading = 22.0;     // height of the line above bars and map
constexpr double kSubheading = 18.0;  // minimum height of the bars' headings
constexpr double kBar = 110.0;        // length of the longest bar
constexpr double kNumber = 40.0;      // beside a bar
constexpr double kPanelGap = 24.0;    // between columns and between states

/// The side of a heat map's cell, which is also the height of a row of bars.
double cell_of(std::size_t tokens) {
  return std::clamp(600.0 / static_cast<double>(std::max<std::size_t>(tokens, 1)), 3.0, 18.0);
}

bool has_room_for_letters(double cell) { return cell >= 10.0; }

std::vector<std::string> shown_tokens(const TextActivations& report) {
  std::vector<std::string> names;
  for (const auto& token : report.text.encoding.tokens) names.push_back(shown_name(token));
  return names;
}

/// One bar per token, from a line at the left, or in the middle if there are negative values.
struct Bars {
  const char* heading;
  const std::vector<double>& values;
  double largest;  // the value of a bar of length kBar
};

std::string draw(const Bars& bars, const std::vector<std::string>& names, double cell) {
  const double lowest = *std::min_element(bars.values.begin(), bars.values.end());
  const double scale = bars.largest > 0.0 ? (lowest < 0.0 ? 0.5 : 1.0) * kBar / bars.largest : 0.0;
  const double line = lowest < 0.0 ? kBar / 2 : 0.0;
  std::string content = svg_text(0, -8.0, "font-size=\"11\"", bars.heading);
  for (std::size_t i = 0; i < bars.values.size(); ++i) {
    const double y = static_cast<double>(i) * cell;
    const double length = std::min(std::abs(bars.values[i]), bars.largest) * scale;
    const bool below = bars.values[i] < 0.0;
    content += svg_box({below ? line - length : line, y + cell * 0.12, length, cell * 0.76},
                       below ? "fill=\"#d6604d\"" : "fill=\"#4393c3\"",
                       html_text(names[i]) + " " + decimal(bars.values[i]));
    if (!has_room_for_letters(cell)) continue;
    content += svg_text((below ? line : line + length) + 4.0, y + cell / 2,
                        R"(dy="0.35em" font-size="10")", formatted("%.2f", bars.values[i]));
  }
  const double height = static_cast<double>(bars.values.size()) * cell;
  return content + "<path d=\"M " + pixels(line) + " 0 v " + pixels(height) +
         "\" stroke=\"#808080\"/>\n";
}

std::string names_beside(const std::vector<std::string>& names, double width, double cell) {
  std::string content;
  for (std::size_t i = 0; i < names.size(); ++i) {
    content += svg_text(width - 6.0, (static_cast<double>(i) + 0.5) * cell,
                        R"(text-anchor="end" dy="0.35em")", html_text(names[i]));
  }
  return content;
}

/// One state: names, norms, change, similarity.
Drawing state_drawing(const TextActivations& report, std::size_t state) {
  const Activations& all = report.activations;
  const double cell = cell_of(report.text.encoding.tokens.size());
  const auto names = shown_tokens(report);
  const bool lettered = has_room_for_letters(cell);
  double widest = 0.0;
  for (const auto& name : names) {
    widest = std::max(widest, static_cast<double>(width_of(name)) * kLetter);
  }
  HeatMap map;
  if (lettered) map.columns = names;
  map.width = report.text.encoding.tokens.size();
  map.values.assign(all.similarity[state].begin(), all.similarity[state].end());
  map.scale = {-1.0, 1.0, /*diverging=*/true};
  map.cell = cell;
  const Drawing similar = draw(map);
  const double rows = cell * static_cast<double>(names.size());
  const double names_above = similar.top;  // height of the map's column names
  const double top = kHeading + std::max(names_above, kSubheading);
  std::string content =
      svg_text(0, 8.0, R"(font-weight="bold" dy="0.35em")", html_text(state_name(state)));
  double x = 0.0;
  if (lettered) {
    content += svg_group(0, top, names_beside(names, widest + 6.0, cell));
    x += widest + 6.0;
  }
  content +=
      svg_group(x, top, draw(Bars{"norm", all.norms[state], largest_norm(all)}, names, cell));
  x += kBar + kNumber + kPanelGap;
  if (state > 0 && !all.change[state - 1].empty()) {
    const Bars bars{"cosine with input", all.change[state - 1], 1.0};
    content += svg_group(x, top, draw(bars, names, cell));
  }
  x += kBar + kNumber + kPanelGap;
  content += svg_text(x, 8.0, R"(font-size="11" dy="0.35em")", "cosine of each token pair");
  content += svg_group(x, top - names_above, similar.content);
  Drawing drawing;
  drawing.width = x + similar.width;
  drawing.height = std::max(top + rows, top - names_above + similar.height);
  drawing.content = std::move(content);
  return drawing;
}

/// The drawings of all states of one model.
std::vector<Drawing> states_of(const TextActivations& report) {
  std::vector<Drawing> drawings;
  for (std::size_t state = 0; state < report.activations.norms.size(); ++state) {
    drawings.push_back(state_drawing(report, state));
  }
  return drawings;
}

std::string picture_title(const TextActivations& report) {
  const TextInput& input = report.text.input;
  std::string text = report.text.model_name + ": " + input.text;
  if (input.pair) text += kPairArrow + *input.pair;
  constexpr std::size_t kLongest = 120;
  return html_text(shortened(text, kLongest));
}

}  // namespace

// One column per model. The same state of all models starts at the same height.
std::string activation_picture(const std::vector<TextActivations>& models,
                               const std::string& title) {
  std::string content;
  double left = kPageMargin;
  std::vector<std::vector<Drawing>> columns;
  std::vector<double> heights;  // of each state
  for (const TextActivations& model : models) {
    const auto& states = columns.emplace_back(states_of(model));
    heights.resize(std::max(heights.size(), states.size()));
    for (std::size_t state = 0; state < states.size(); ++state) {
      heights[state] = std::max(heights[state], states[state].height);
    }
  }
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const std::string name = picture_title(models[column]);
    content +=
        svg_text(left, kPageMargin + kTitle / 3, R"(font-weight="bold" font-size="14")", name);
    double width = static_cast<double>(width_of(name)) * kLetter * 1.2;
    double y = kPageMargin + kTitle;
    for (std::size_t state = 0; state < columns[column].size(); ++state) {
      content += svg_group(left, y, columns[column][state].content);
      width = std::max(width, columns[column][state].width);
      y += heights[state] + kPanelGap;
    }
    left += width + 2 * kPanelGap;
  }
  double height = kPageMargin + kTitle;
  for (const double state : heights) height += state + kPanelGap;
  return svg_document(left - 2 * kPanelGap + kPageMargin, height, "vectors of each layer", content,
                      title);
}

}  // namespace headlight
