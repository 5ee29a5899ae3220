// The results of an evaluation as text, and the tables that text and page share.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "classifier/prediction.h"
#include "metrics/evaluation.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_table.h"

namespace headlight {

/// Aligned tables. With more than kLabelsOfAMatrix labels, only the most frequent mistakes are
/// shown instead of the confusion matrix.
std::string evaluation_text(const LabelSet& labels, const Evaluation& evaluation);

/// "0.2500", or of a share "75.0 %, 95 % CI 25.0–100.0 %".
std::string measure_text(const Measure& measure);

/// The numbers of rows, and all measures.
Facts evaluation_facts(const Evaluation& evaluation);
/// One row per label. `names` are those of `evaluation.labels` as they are shown.
TextTable labels_table(const LabelSet& labels, const Evaluation& evaluation,
                       const std::vector<std::string>& names);
/// At most `most` mistakes.
TextTable mistakes_table(const ConfusionMatrix& confusion, const std::vector<std::string>& names,
                         std::size_t most);
TextTable coverage_table(const std::vector<CoveragePoint>& points);

/// The largest number of labels for which text and page show a confusion matrix.
inline constexpr std::size_t kLabelsOfAMatrix = 20;

}  // namespace headlight
