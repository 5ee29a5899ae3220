// A matrix as a field of coloured cells, with names at its sides and the scale beside it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/formats/colours.h"

namespace headlight {

struct HeatMap {
  std::string title;                 // above it; empty: none
  std::vector<std::string> rows;     // names, r of them or none
  std::vector<std::string> columns;  // names, c of them or none
  std::size_t width = 0;             // c
  std::vector<float> values;         // [r, c]
  ColourScale scale;
  double cell = 18.0;         // side of a cell in pixels
  bool numbers = false;       // written in the cells, with two decimals
  bool legend = true;         // the scale beside it
  std::size_t name_step = 1;  // of how many names one is written
  std::size_t most_boxes = 4096;
};

/// A piece of a picture, its upper left corner at 0, 0.
struct Drawing {
  double width = 0.0;  // pixels
  double height = 0.0;
  double left = 0.0;  // where the cells begin
  double top = 0.0;
  std::string content;  // SVG elements
};

/// Each cell a rectangle that says what it stands for where a pointer rests on it; a map of more
/// than `most_boxes` cells without numbers is one image instead, a point a cell.
Drawing draw(const HeatMap& map);

}  // namespace headlight
