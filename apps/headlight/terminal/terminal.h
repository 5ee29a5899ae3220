// Width and colours of a terminal.
#pragma once

#include <cstddef>

#include "report/formats/colours.h"

namespace headlight {

/// Columns of the terminal; 80 if unknown.
std::size_t terminal_columns(int descriptor);

/// For pictures: truecolour if COLORTERM is "truecolor" or "24bit"; the background, dark or light,
/// from COLORFGBG, which some terminals set, else dark.
TerminalColours terminal_colours();

}  // namespace headlight
