// What was measured on labelled rows, as a page to look at and to hand on.
#pragma once

#include <string>

#include "classifier/prediction.h"
#include "metrics/evaluation.h"

namespace headlight {

/// A whole page: the numbers, the labels, the confusion matrix (of many labels the worst pairs) and
/// the reliability diagram.
std::string evaluation_page(const std::string& title, const LabelSet& labels,
                            const Evaluation& evaluation);

}  // namespace headlight
