// Which colours the terminal can show, and what its background is.
#pragma once

#include <optional>
#include <string>

#include "report/formats/colours.h"

namespace headlight {

/// For pictures on standard output: truecolour if COLORTERM is "truecolor" or "24bit"; the
/// background from the terminal if it `may_ask` and standard output is one, else from COLORFGBG,
/// else dark.
TerminalColours terminal_colours(bool may_ask);

/// The background of the terminal of standard output, which is asked for it by OSC 11 (xterm,
/// "Control sequences") and has 50 ms to answer. Empty if it does not, if it is not the terminal
/// that this process is in the foreground of, or if input is waiting there, which would be read
/// with the answer. What is typed meanwhile is given back.
std::optional<Colour> asked_background();

/// The colour of an answer, "\x1b]11;rgb:1e1e/1e1e/1e1e" and what ends it, with text around it;
/// empty if there is none.
std::optional<Colour> parse_background(const std::string& answer);

}  // namespace headlight
