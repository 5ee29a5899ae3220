// The effect of each word on the prediction, as a self-contained HTML page.
#pragma once

#include <string>

#include "report/explanation/explanation_view.h"

namespace headlight {

/// The prediction, the text with its words marked by colour, sign and strength, and a chart for
/// each of the best labels; for light mode, dark mode and print.
std::string explanation_page(const std::string& title, const LabelSet& labels,
                             const Explanation& explanation, const ExplanationView& view);

}  // namespace headlight
