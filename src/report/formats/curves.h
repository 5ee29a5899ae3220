// Line charts: curves over an index, with their names.
#pragma once

#include <string>
#include <vector>

#include "report/formats/heat_map.h"

namespace headlight {

struct Curve {
  std::string name;
  std::vector<float> values;
};

struct CurveChart {
  std::string title;
  std::string axis;           // name of the index
  std::vector<Curve> curves;  // at least one, all of the same length > 0
  double width = 480.0;       // of the frame in pixels
  double height = 180.0;
};

/// Lines differ in colour and dash pattern.
Drawing draw(const CurveChart& chart);

}  // namespace headlight
