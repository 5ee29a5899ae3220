// Numbers over an index as lines in one frame, each with its name.
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
  std::string axis;           // what the index counts
  std::vector<Curve> curves;  // one at least, all of one length, which is not 0
  double width = 480.0;       // of the frame in pixels
  double height = 180.0;
};

/// Lines differ in colour and in how they are dashed.
Drawing draw(const CurveChart& chart);

}  // namespace headlight
