#include "report/formats/heat_map.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/base64.h"
#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/formats/svg.h"

namespace headlight {
namespace {

constexpr double kNameGap = 6.0;       // between names and cells
constexpr double kLetterWidth = 7.8;   // about the width of one
constexpr double kTitleHeight = 22.0;  // height of the title's line
constexpr double kLegend = 14.0;       // width of the scale's bar
constexpr double kLegendText = 44.0;   // at least
constexpr double kDigit = 6.5;         // about the width of one, in the legend
constexpr double kLeastLegend = 40.0;  // its height beside a small map
constexpr double kDigitHeight = 0.38;  // of a number in a cell, in cells
constexpr double kCellOfDigits = 1.6;  // the height of one letter that would fill a cell
constexpr double kAxis = 16.0;         // height of an axis title
constexpr double kGap = 18.0;          // between the drawings of a grid

double longest(const std::vector<std::string>& names) {
  std::size_t width = 0;
  for (const auto& name : names) width = std::max(width, width_of(name));
  return names.empty() ? 0.0 : static_cast<double>(width) * kLetterWidth + kNameGap;
}

/// The colours of all steps, in light or dark mode.
std::vector<Colour> palette_of(const ColourScale& scale, bool dark) {
  const Ground ground = ground_of(kDarkPage);
  std::vector<Colour> palette;
  for (unsigned number = 0; number < 256; ++number) {
    const auto step = static_cast<std::uint8_t>(number);
    palette.push_back(dark ? scale.on(ground, step) : scale.at(step));
  }
  return palette;
}

std::string image(const HeatMap& map, double width, double height) {
  // Several points per cell, so that viewers that smooth images only smooth the edges of cells.
  constexpr std::size_t kPoints = 4;
  std::vector<std::uint8_t> points;
  points.reserve(map.values.size() * kPoints * kPoints);
  for (std::size_t row = 0; row < map.values.size(); row += map.width) {
    std::vector<std::uint8_t> line;
    for (std::size_t i = 0; i < map.width * kPoints; ++i) {
      line.push_back(map.scale.step(map.values[row + i / kPoints]));
    }
    for (std::size_t i = 0; i < kPoints; ++i) points.insert(points.end(), line.begin(), line.end());
  }
  std::string content;
  for (const bool dark : {true, false}) {  // the light one above, for viewers without style sheets
    const std::string png = encode_png(map.width * kPoints, points, palette_of(map.scale, dark));
    content += std::string("<image class=\"") + (dark ? "dark" : "light") + "\" width=\"" +
               pixels(width) + "\" height=\"" + pixels(height) +
               "\" preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\" "
               "style=\"image-rendering:pixelated\" href=\"data:image/png;base64," +
               encode_base64(png) + "\"/>\n";
  }
  return content;
}

std::string two_fills(const ColourScale& scale, double value) {
  return headlight::two_fills(scale.of(value), scale.on(ground_of(kDarkPage), scale.step(value)));
}

/// Black or white, whichever is easier to read on the cell of `value`.
std::string letter_fills(const ColourScale& scale, double value) {
  const auto on = [](const Colour& cell) {
    return cell.is_dark() ? Colour{255, 255, 255} : Colour{0, 0, 0};
  };
  return headlight::two_fills(on(scale.of(value)),
                              on(scale.on(ground_of(kDarkPage), scale.step(value))));
}

std::string grid(const HeatMap& map, double width, double height) {
  constexpr std::size_t kHeavy = 8;
  constexpr double kLeastCell = 5.0;  // with lines on all its sides
  const auto lines = [&](std::size_t every, const char* stroke) {
    std::string path;
    const auto place = [&](std::size_t cells) {
      return pixels(map.cell * static_cast<double>(cells));
    };
    for (std::size_t i = 0; i <= map.width; i += every) {
      path += "M" + place(i) + " 0V" + pixels(height);
    }
    for (std::size_t i = 0; i <= map.values.size() / map.width; i += every) {
      path += "M0 " + place(i) + "H" + pixels(width);
    }
    return R"(<path class="grid" fill="none" pointer-events="none" stroke="#8c96a5" )" +
           std::string(stroke) + " d=\"" + path + "\"/>\n";
  };
  return (map.cell >= kLeastCell ? lines(1, R"(stroke-width="0.5")") : "") +
         lines(kHeavy, R"(stroke-width="1.5")");
}

std::string boxes(const HeatMap& map) {
  std::string content = "<g shape-rendering=\"crispEdges\">\n";
  for (std::size_t i = 0; i < map.values.size(); ++i) {
    const std::size_t row = i / map.width;
    const std::size_t column = i % map.width;
    const double x = static_cast<double>(column) * map.cell;
    const double y = static_cast<double>(row) * map.cell;
    std::string title = decimal(map.values[i]);
    if (!map.columns.empty()) title = html_text(map.columns[column]) + " " + title;
    if (!map.rows.empty()) title = html_text(map.rows[row]) + " → " + title;
    content += svg_box({x, y, map.cell, map.cell}, two_fills(map.scale, map.values[i]), title);
    if (!map.numbers) continue;
    const std::string number = formatted("%.2f", map.values[i]);
    const double letter =
        std::min(kDigitHeight, kCellOfDigits / static_cast<double>(number.size()));
    content += svg_text(x + map.cell / 2, y + map.cell / 2,
                        std::string(R"(text-anchor="middle" dy="0.35em" )") +
                            R"(pointer-events="none" font-size=")" + pixels(map.cell * letter) +
                            "\" " + letter_fills(map.scale, map.values[i]),
                        number);
  }
  return content + "</g>\n";
}

std::string names(const HeatMap& map) {
  std::string content;
  for (std::size_t row = 0; row < map.rows.size(); row += map.name_step) {
    content += svg_text(-kNameGap, (static_cast<double>(row) + 0.5) * map.cell,
                        R"(text-anchor="end" dy="0.35em")", html_text(map.rows[row]));
  }
  for (std::size_t column = 0; column < map.columns.size(); column += map.name_step) {
    const double x = (static_cast<double>(column) + 0.5) * map.cell;
    content += svg_text(
        x, -kNameGap,
        R"(dy="0.35em" transform="rotate(-90 )" + pixels(x) + " " + pixels(-kNameGap) + ")\"",
        html_text(map.columns[column]));
  }
  return content;
}

/// Those above and beside the names.
std::string axis_titles(const HeatMap& map, double left, double top, double height) {
  std::string content;
  if (!map.column_title.empty()) {
    content += svg_text(left, top - longest(map.columns) - kAxis / 2,
                        R"(dy="0.35em" font-size="11" font-style="italic")", map.column_title);
  }
  if (!map.row_title.empty()) {
    const std::string middle = pixels(top + height / 2);
    content += svg_text(kAxis / 2, top + height / 2,
                        R"(text-anchor="middle" font-size="11" font-style="italic" )"
                        R"(transform="rotate(-90 )" +
                            pixels(kAxis / 2) + " " + middle + ")\"",
                        map.row_title);
  }
  return content;
}

std::string legend(const ColourScale& scale, double height) {
  constexpr std::size_t kParts = 32;
  std::string content = "<g shape-rendering=\"crispEdges\">\n";
  for (std::size_t part = 0; part < kParts; ++part) {
    const double from = static_cast<double>(part) / kParts;
    const double value = scale.high - (from + 0.5 / kParts) * (scale.high - scale.low);
    content +=
        svg_box({0, from * height, kLegend, height / kParts + 0.5}, two_fills(scale, value), "");
  }
  content += "</g>\n";
  const std::string place = R"(dy="0.35em" font-size="10")";
  content += svg_text(kLegend + 4, kNameGap, place, formatted("%.3g", scale.high));
  content += svg_text(kLegend + 4, height - kNameGap, place, formatted("%.3g", scale.low));
  return content;
}

/// The width of the numbers beside the scale's bar.
double legend_text_width(const ColourScale& scale) {
  const std::size_t letters =
      std::max(formatted("%.3g", scale.high).size(), formatted("%.3g", scale.low).size());
  return std::max(kLegendText, 4.0 + kDigit * static_cast<double>(letters));
}

}  // namespace

Drawing draw(const HeatMap& map) {
  const double left = longest(map.rows) + (map.row_title.empty() ? 0.0 : kAxis);
  const double top = longest(map.columns) + (map.title.empty() ? 0.0 : kTitleHeight) +
                     (map.column_title.empty() ? 0.0 : kAxis);
  const double width = static_cast<double>(map.width) * map.cell;
  const std::size_t rows = map.width == 0 ? 0 : map.values.size() / map.width;
  const double height = static_cast<double>(rows) * map.cell;
  Drawing drawing;
  drawing.left = left;
  drawing.top = top;
  drawing.width = left + width;
  drawing.height = top + height;
  if (!map.title.empty()) {
    drawing.content +=
        svg_text(left, kTitleHeight / 2, R"(font-weight="bold" dy="0.35em")", html_text(map.title));
    drawing.width =
        std::max(drawing.width, left + static_cast<double>(width_of(map.title)) * kLetterWidth);
  }
  drawing.content +=
      svg_group(left, top,
                (map.values.size() > map.most_boxes && !map.numbers ? image(map, width, height)
                                                                    : boxes(map)) +
                    (map.grid ? grid(map, width, height) : "") + names(map));
  drawing.content += axis_titles(map, left, top, height);
  if (map.legend) {
    const double bar = std::max(height, kLeastLegend);
    drawing.content += svg_group(left + width + 2 * kNameGap, top, legend(map.scale, bar));
    drawing.width = std::max(drawing.width,
                             left + width + 2 * kNameGap + kLegend + legend_text_width(map.scale));
    drawing.height = std::max(drawing.height, top + bar);
  }
  return drawing;
}

Drawing aligned(const std::vector<std::vector<Drawing>>& grid) {
  std::vector<double> left;  // left margin of the cells in each column
  std::vector<double> right;
  for (const auto& row : grid) {
    left.resize(std::max(left.size(), row.size()), 0.0);
    right.resize(left.size(), 0.0);
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

}  // namespace headlight
