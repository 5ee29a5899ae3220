// The results of an evaluation for people: as text, and as an HTML page.
#pragma once

#include <cstddef>
#include <string>

#include "report/evaluation/evaluation_report.h"

namespace headlight {

/// Aligned tables: the measures, the labels, the confusion matrix (with more than kLabelsOfAMatrix
/// labels only the most frequent mistakes), and what was asked for beyond them.
std::string results_text(const Measured& results);
/// The same of the measures alone.
std::string evaluation_text(const LabelSet& labels, const Evaluation& evaluation);
std::string entity_evaluation_text(const EntityEvaluation& evaluation);

/// A complete page: the same, and the reliability diagram.
std::string results_page(const std::string& title, const Measured& results);

/// "0.2500", or of a share "75.0 %, 95 % CI 25.0–100.0 %".
std::string measure_text(const Measure& measure);

/// The largest number of labels for which text and page show a confusion matrix.
inline constexpr std::size_t kLabelsOfAMatrix = 20;

}  // namespace headlight
