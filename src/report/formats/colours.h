// Numbers as colours, in scales whose lightness runs evenly, so that they survive a black and white
// printer. (ColorBrewer 2.0, "Blues" and "RdBu": Harrower and Brewer 2003) On a dark page and in a
// terminal, a scale runs from the background to one strong colour. An image of them is a PNG.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace headlight {

struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  bool operator==(const Colour&) const = default;

  /// From 0 to 1. (WCAG 2.2, "relative luminance")
  double luminance() const;
  /// Whether white text has more contrast on it than black text; the better one has at least 4.5.
  bool is_dark() const;
  /// "#rrggbb"
  std::string hex() const;
};

/// A background, and the strongest colours of a scale on it.
struct Ground {
  Colour background;
  Colour blue;
  Colour red;
};

/// Strong colours that are far from `background`: light ones if it is dark, else dark ones.
Ground ground_of(const Colour& background);

/// The background of pages and pictures in dark mode.
inline constexpr Colour kDarkPage{22, 24, 28};

/// A scale of colours and the values at its ends.
struct ColourScale {
  double low = 0.0;
  double high = 1.0;
  /// True: red below the middle, blue above it. False: white to blue.
  bool diverging = false;
  bool orange = false;  // in place of red

  /// The step (0 to 255) that shows `value`; values beyond the ends are clamped.
  std::uint8_t step(double value) const;
  Colour at(std::uint8_t step) const;
  Colour of(double value) const { return at(step(value)); }
  /// From the ground's background to blue; if diverging, from red over the background to blue.
  Colour on(const Ground& ground, std::uint8_t step) const;
};

/// What a terminal can show.
struct TerminalColours {
  bool truecolour = false;  // any colour, else the 256 of xterm
  Colour background;        // black for dark and white for light
};

/// `text` on the colour of `value` (xterm, "Control sequences": select graphic rendition, 38 and
/// 48), in letters that are easy to read on it. The value of the background, which is 0 on every
/// scale, gets no colour.
std::string painted(const std::string& text, const ColourScale& scale, double value,
                    const TerminalColours& terminal);

/// A PNG image (ISO/IEC 15948) of `width` columns. Its points, row by row, are indices into
/// `colours` (at most 256).
std::string encode_png(std::size_t width, std::span<const std::uint8_t> points,
                       std::span<const Colour> colours);

}  // namespace headlight
