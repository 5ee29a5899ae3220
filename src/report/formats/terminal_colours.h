// Scales of colours in a terminal, from its background to one strong colour. (xterm, "Control
// sequences": select graphic rendition, 38 and 48)
#pragma once

#include <string>

#include "report/formats/colours.h"

namespace headlight {

/// What a terminal can show.
struct TerminalColours {
  bool truecolour = false;  // any colour, else the 256 of xterm
  Colour background;        // black for dark and white for light
};

/// `text` on the colour of `value`, in letters that are easy to read on it. The value of the
/// background, which is 0 on every scale, gets no colour.
std::string painted(const std::string& text, const ColourScale& scale, double value,
                    const TerminalColours& terminal);

}  // namespace headlight
