#include "report/formats/curves.h"

#include <algorithm>
#include <array>

#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/formats/svg.h"

namespace headlight {
namespace {

constexpr double kLeft = 44.0;  // for the numbers of the axis
constexpr double kTop = 28.0;
constexpr double kBottom = 36.0;
constexpr double kName = 90.0;
constexpr double kLine = 18.0;

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
  double low, high;
  double width, height;
  std::size_t count;

  double x(std::size_t index) const {
    return count < 2 ? 0.0 : width * static_cast<double>(index) / static_cast<double>(count - 1);
  }
  double y(double value) const { return height * (high - value) / (high - low); }
};

Frame frame_of(const CurveChart& chart) {
  double low = 0.0;
  double high = 0.0;
  for (const Curve& curve : chart.curves) {
    for (const float value : curve.values) {
      low = std::min<double>(low, value);
      high = std::max<double>(high, value);
    }
  }
  if (high == low) high = low + 1.0;
  return {low, high, chart.width, chart.height, chart.curves.front().values.size()};
}

std::string axes(const CurveChart& chart, const Frame& frame) {
  const std::string grid = R"(stroke="#999999" stroke-width="0.5")";
  std::string content;
  for (const double value : {frame.low, 0.0, frame.high}) {
    content += line(0, frame.y(value), frame.width, frame.y(value), grid);
    content += svg_text(-6, frame.y(value), R"(text-anchor="end" dy="0.35em" font-size="10")",
                        formatted("%.3g", value));
  }
  const std::string below = R"(text-anchor="middle" font-size="10")";
  content += svg_text(0, frame.height + 14, below, "0");
  content += svg_text(frame.width, frame.height + 14, below, std::to_string(frame.count - 1));
  return content + svg_text(frame.width / 2, frame.height + 26, below, html_text(chart.axis));
}

}  // namespace

Drawing draw(const CurveChart& chart) {
  const Frame frame = frame_of(chart);
  std::string content = axes(chart, frame);
  for (std::size_t k = 0; k < chart.curves.size(); ++k) {
    std::string path;
    for (std::size_t i = 0; i < frame.count; ++i) {
      path += (i == 0 ? "M" : "L") + pixels(frame.x(i)) + " " +
              pixels(frame.y(chart.curves[k].values[i]));
    }
    const std::string name = html_text(chart.curves[k].name);
    content += "<path d=\"" + path + "\" " + stroke(k) + "><title>" + name + "</title></path>\n";
    const double y = kLine * (static_cast<double>(k) + 0.5);
    content += line(frame.width + 12, y, frame.width + 36, y, stroke(k));
    content += svg_text(frame.width + 42, y, R"(dy="0.35em")", name);
  }
  Drawing drawing;
  drawing.width = kLeft + frame.width + 42 + kName;
  drawing.height =
      kTop + std::max(frame.height + kBottom, kLine * static_cast<double>(chart.curves.size()));
  drawing.content =
      svg_text(kLeft, 10, R"(font-weight="bold" dy="0.35em")", html_text(chart.title)) +
      svg_group(kLeft, kTop, content);
  return drawing;
}

}  // namespace headlight
