// The results of an evaluation as an HTML page.
#pragma once

#include <string>

#include "classifier/prediction.h"
#include "metrics/evaluation.h"

namespace headlight {

/// A complete page: the measures, the labels, the confusion matrix (for many labels only the most
/// frequent mistakes) and the reliability diagram. `sections` is markup that follows the measures.
std::string evaluation_page(const std::string& title, const LabelSet& labels,
                            const Evaluation& evaluation, const std::string& sections = "");

}  // namespace headlight
