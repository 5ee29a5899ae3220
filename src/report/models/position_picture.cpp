#include "report/models/position_picture.h"

#include <algorithm>
#include <cmath>

#include "report/formats/curves.h"
#include "report/formats/svg.h"

namespace headlight {
namespace {

constexpr double kFrame = 640.0;  // maximum size of a map in pixels
constexpr double kLeastCell = 2.0;
constexpr double kLargestCell = 16.0;
constexpr double kName = 14.0;  // height of a name
constexpr double kGap = 24.0;

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
  if (map.cell < kName) map.name_step = kStep;
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
  CurveChart chart;
  chart.title = "Chosen dimensions";
  chart.axis = "position";
  for (const std::size_t dimension : dimensions) {
    Curve& curve = chart.curves.emplace_back();
    curve.name = "dimension " + std::to_string(dimension);
    for (std::size_t i = 0; i < n; ++i) curve.values.push_back(vectors[i * e + dimension]);
  }
  const Drawing curves = draw(chart);
  drawing.content += svg_group(0, drawing.height + kGap, curves.content);
  drawing.width = std::max(drawing.width, curves.width);
  drawing.height += kGap + curves.height;
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
