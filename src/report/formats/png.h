// Images with a palette, as PNG. (ISO/IEC 15948, "Portable Network Graphics")
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "report/formats/colours.h"

namespace headlight {

/// An image of `width` columns. Its points, row by row, are indices into `colours` (at most 256).
std::string encode_png(std::size_t width, std::span<const std::uint8_t> points,
                       std::span<const Colour> colours);

}  // namespace headlight
