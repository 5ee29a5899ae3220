// What every refusal of the program has in common, whatever was broken.
#pragma once

#include <string>
#include <vector>

#include "cli/process.h"

namespace headlight {

std::vector<std::string> lines_of(const std::string& text);

/// Valid UTF-8 without control characters, line ends aside.
bool is_harmless(const std::string& text);

/// The program ended by itself and in bounded memory, and wrote nothing that has power over a
/// terminal.
void check_sane(const Outcome& outcome);

/// Checks that `line` is the program's and holds each part of `reason`; parts stand between bars:
/// "classifier.bias|found shape [3]".
void check_reason(const std::string& line, const std::string& reason);

/// One line that says why, the status, and nothing on standard output.
void check_refusal(const Outcome& outcome, int status, const std::string& reason);

/// The last line says why; notes may stand before it.
void check_last_reason(const Outcome& outcome, int status, const std::string& reason);

}  // namespace headlight
