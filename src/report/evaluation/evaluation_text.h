// The results of an evaluation as text.
#pragma once

#include <cstddef>
#include <string>

#include "classifier/prediction.h"
#include "metrics/evaluation.h"

namespace headlight {

/// Aligned tables. With more than kLabelsOfAMatrix labels, only the most frequent mistakes are
/// shown instead of the confusion matrix.
std::string evaluation_text(const LabelSet& labels, const Evaluation& evaluation);

/// A measure, as text and page name it; empty: undefined.
struct NamedMeasure {
  const char* in_text;
  const char* on_page;
  std::optional<double> value;
};
/// All but the shares of correct rows.
std::vector<NamedMeasure> named_measures(const Evaluation& evaluation);

/// "1,320 rows have 33 labels that the model lacks; counted as wrong"; empty if there are none.
std::string unknown_labels_text(const Evaluation& evaluation);

/// The largest number of labels for which text and page show a confusion matrix.
inline constexpr std::size_t kLabelsOfAMatrix = 20;

}  // namespace headlight
