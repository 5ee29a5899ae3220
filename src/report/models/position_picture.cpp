#include "report/models/position_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "report/formats/plain_text.h"
#include "report/formats/svg.h"

namespace headlight {
namespace {

constexpr double kFrame = 640.0;  // maximum size of a map in pixels
constexpr double kLeastCell = 2.0;
constexpr double kLargestCell = 16.0;
constexpr double kNameHeight = 14.0;  // height of a name
constexpr double kPictureGap = 24.0;

struct Curve {
  std::string name;
  std::vector<float> values;
};

constexpr double kChartWidth = 480.0;  // of the frame of curves in pixels
constexpr double kChartHeight = 180.0;
constexpr double kAxisWidth = 44.0;
constexpr double kCurveLine = 18.0;  // height of the name of a curve

// Okabe and Ito's colours, which most people can tell apart, on white and on black.
constexpr std::array<const char*, 6> kColours = {"#0072b2", "#d55e00", "#009e73",
                                                 "#cc79a7", "#e69f00", "#56b4e9"};
constexpr std::array<const char*, 3> kDashes = {"", "6 3", "2 3"};

std::string stroke(std::size_t curve) {
  return R"(fill="none" stroke-width="1.5" stroke=")" + std::string(kColours[curve % 6]) +
         R"(" stroke-dasharray=")" + kDashes[curve / 6 % 3] + "\"";
}

std::string line(double x1, double y1, double x2, double y2, const std::string& attributes) {
  return "<path d=\"M" + pixels(x1) + " " + pixels(y1) + "L" + pixels(x2) + " " + pixels(y2) +
         "\" " + attributes + "/>\n";
}

/// Maps values to positions in the frame.
struct Frame {
  double low = 0.0;
  double high = 0.0;
  std::size_t count = 0;

  double x(std::size_t index) const {
    return count < 2 ? 0.0
                     : kChartWidth * static_cast<double>(index) / static_cast<double>(count - 1);
  }
  double y(double value) const { return kChartHeight * (high - value) / (high - low); }
};

Frame frame_of(const std::vector<Curve>& curves) {
  Frame frame;
  for (const Curve& curve : curves) {
    for (const float value : curve.values) {
      frame.low = std::min<double>(frame.low, value);
      frame.high = std::max<double>(frame.high, value);
    }
  }
  if (frame.high == frame.low) frame.high = frame.low + 1.0;
  frame.count = curves.front().values.size();
  return frame;
}

std::string axes(const Frame& frame) {
  const std::string grid = R"(stroke="#999999" stroke-width="0.5")";
  std::string content;
  for (const double value : {frame.low, 0.0, frame.high}) {
    content += line(0, frame.y(value), kChartWidth, frame.y(value), grid);
    content += svg_text(-6, frame.y(value), R"(text-anchor="end" dy="0.35em" font-size="10")",
                        formatted("%.3g", value));
  }
  const std::string below = R"(text-anchor="middle" font-size="10")";
  return content + svg_text(0, kChartHeight + 14, below, "0") +
         svg_text(kChartWidth, kChartHeight + 14, below, std::to_string(frame.count - 1)) +
         svg_text(kChartWidth / 2, kChartHeight + 26, below, "position");
}

/// Curves over the positions, at least one; they differ in colour and dash pattern.
Drawing draw_curves(const std::vector<Curve>& curves) {
  const Frame frame = frame_of(curves);
  std::string content = axes(frame);
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const auto& [name, values] = curves[k];
    std::string path;
    for (std::size_t i = 0; i < frame.count; ++i) {
      path += (i == 0 ? "M" : "L") + pixels(frame.x(i)) + " " + pixels(frame.y(values[i]));
    }
    content += "<path d=\"" + path + "\" " + stroke(k) + "><title>" + name + "</title></path>\n";
    const double y = kCurveLine * (static_cast<double>(k) + 0.5);
    content += line(kChartWidth + 12, y, kChartWidth + 36, y, stroke(k));
    content += svg_text(kChartWidth + 42, y, R"(dy="0.35em")", name);
  }
  Drawing drawing;
  drawing.width = kAxisWidth + kChartWidth + 132;
  drawing.height =
      28 + std::max(kChartHeight + 36, kCurveLine * static_cast<double>(curves.size()));
  drawing.content =
      svg_text(kAxisWidth, 10, R"(font-weight="bold" dy="0.35em")", "Chosen dimensions") +
      svg_group(kAxisWidth, 28, content);
  return drawing;
}

std::vector<std::string> numbers(std::size_t count) {
  std::vector<std::string> names;
  names.reserve(count);
  for (std::size_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

/// A map with cells and names as large as fit.
HeatMap map_of(const std::string& title, std::size_t rows, std::size_t columns) {
  HeatMap map;
  map.title = title;
  map.rows = numbers(rows);
  map.columns = numbers(columns);
  map.width = columns;
  map.cell = std::clamp(std::floor(kFrame / static_cast<double>(std::max(rows, columns))),
                        kLeastCell, kLargestCell);
  constexpr std::size_t kStep = 8;  // if there is no room for every name
  if (map.cell < kNameHeight) map.name_step = kStep;
  return map;
}

/// The 99th percentile of the absolute values, so that a few large values do not make all others
/// pale.
float usual_size(const std::vector<float>& values) {
  std::vector<float> sizes;
  sizes.reserve(values.size());
  for (const float value : values) sizes.push_back(std::abs(value));
  const auto last = sizes.begin() + static_cast<std::ptrdiff_t>((sizes.size() - 1) * 99 / 100);
  std::nth_element(sizes.begin(), last, sizes.end());
  return *last;
}

}  // namespace

Drawing draw_positions(const std::vector<float>& vectors, std::size_t e,
                       std::span<const std::size_t> dimensions) {
  const std::size_t n = vectors.size() / e;
  HeatMap map = map_of("Position (row) by dimension (column)", n, e);
  map.values = vectors;
  const float size = usual_size(vectors);
  map.scale = {-size, size, true};
  Drawing drawing = draw(map);
  if (dimensions.empty()) return drawing;
  std::vector<Curve> chosen;
  for (const std::size_t dimension : dimensions) {
    Curve& curve = chosen.emplace_back();
    curve.name = "dimension " + std::to_string(dimension);
    for (std::size_t i = 0; i < n; ++i) curve.values.push_back(vectors[i * e + dimension]);
  }
  const Drawing curves = draw_curves(chosen);
  drawing.content += svg_group(0, drawing.height + kPictureGap, curves.content);
  drawing.width = std::max(drawing.width, curves.width);
  drawing.height += kPictureGap + curves.height;
  return drawing;
}

Drawing draw_mask(const std::vector<float>& mask, std::size_t n, const std::string& name) {
  HeatMap map = map_of(name + " mask: a query (row) may attend to the blue keys (columns)", n, n);
  map.grid = true;
  map.values = mask;
  map.legend = false;
  return draw(map);
}

}  // namespace headlight
