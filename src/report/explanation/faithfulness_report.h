// How faithful methods are, side by side, as text and as a section of a page.
#pragma once

#include <string>
#include <vector>

#include "inside/explanation.h"

namespace headlight {

/// A table with one line per method, after an empty line; empty without methods.
std::string faithfulness_text(const std::vector<JudgedMethod>& judged);

/// Markup; empty without methods.
std::string faithfulness_section(const std::vector<JudgedMethod>& judged);

}  // namespace headlight
