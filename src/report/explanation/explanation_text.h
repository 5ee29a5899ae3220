// The effect of each word on the prediction, as text.
#pragma once

#include <string>

#include "report/explanation/explanation_view.h"

namespace headlight {

/// The prediction, the text with its strongest words marked, and the effects of words and word
/// pairs.
std::string explanation_text(const LabelSet& labels, const Explanation& explanation,
                             const ExplanationView& view);

}  // namespace headlight
