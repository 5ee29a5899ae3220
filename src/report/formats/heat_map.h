// A matrix as coloured cells, with names at its sides and a colour scale.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/formats/colours.h"

namespace headlight {

struct HeatMap {
  std::string title;      // above it; empty: none
  std::string row_title;  // of the axes; empty: none
  std::string column_title;
  std::vector<std::string> rows;     // r names or none
  std::vector<std::string> columns;  // c names or none
  std::size_t width = 0;             // c
  std::vector<float> values;         // [r, c]
  ColourScale scale;
  double cell = 18.0;         // side of a cell in pixels
  bool numbers = false;       // print values in the cells, with two decimals
  bool legend = true;         // the scale beside it
  bool grid = false;          // lines between cells, a heavier one every 8
  std::size_t name_step = 1;  // every how many cells a name is written
  std::size_t most_boxes = 4096;
};

/// A part of a picture, with its upper left corner at 0, 0.
struct Drawing {
  double width = 0.0;  // pixels
  double height = 0.0;
  double left = 0.0;  // where the cells begin
  double top = 0.0;
  std::string content;  // SVG elements
};

/// One rectangle with a tooltip per cell. A map with more than `most_boxes` cells and without
/// numbers is a single image, with another for dark mode. Cells too small for a line each have only
/// the heavier lines of a grid.
Drawing draw(const HeatMap& map);

/// Places drawings row by row with their cells aligned.
Drawing aligned(const std::vector<std::vector<Drawing>>& grid);

}  // namespace headlight
