// Numbers as colours, in scales whose lightness runs evenly, so that they survive a black and white
// printer. (ColorBrewer 2.0, "Blues" and "RdBu": Harrower and Brewer 2003)
#pragma once

#include <cstdint>
#include <string>

namespace headlight {

struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  bool operator==(const Colour&) const = default;

  /// Whether white letters are easier to read on it than black ones.
  bool is_dark() const;
  /// "#rrggbb"
  std::string hex() const;
  /// Which of the 256 colours of a terminal is next to it, in their 6 × 6 × 6 cube (xterm).
  unsigned terminal_number() const;
};

/// What the ends of a scale stand for.
struct ColourScale {
  double low = 0.0;
  double high = 1.0;
  /// Red below the middle and blue above it, instead of white to blue.
  bool diverging = false;

  /// Which of 256 steps shows `value`; those beyond the ends are at the ends.
  std::uint8_t step(double value) const;
  Colour at(std::uint8_t step) const;
  Colour of(double value) const { return at(step(value)); }
};

}  // namespace headlight
