// What each word does to a verdict, as a page that stands alone.
#pragma once

#include <string>

#include "report/explanation/explanation_view.h"

namespace headlight {

/// The verdict, the text with its words marked by colour, sign and strength, and a chart for each
/// of the first labels; light, dark and on paper.
std::string explanation_page(const std::string& title, const LabelSet& labels,
                             const Explanation& explanation, const ExplanationView& view);

}  // namespace headlight
