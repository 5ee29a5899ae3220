// What was measured on labelled rows, for people.
#pragma once

#include <cstddef>
#include <string>

#include "classifier/prediction.h"
#include "metrics/evaluation.h"

namespace headlight {

/// Aligned tables; of a confusion matrix with many labels only the pairs that are taken for each
/// other most often.
std::string evaluation_text(const LabelSet& labels, const Evaluation& evaluation);

/// The most labels that are shown as a matrix, here and on a page.
inline constexpr std::size_t kLabelsOfAMatrix = 20;

}  // namespace headlight
