// What each word does to a verdict, for people.
#pragma once

#include <string>

#include "report/explanation/explanation_view.h"

namespace headlight {

/// The verdict, the text with its strongest words marked, and what words and pairs of words do.
std::string explanation_text(const LabelSet& labels, const Explanation& explanation,
                             const ExplanationView& view);

}  // namespace headlight
