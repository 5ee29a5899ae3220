// Everything that evaluate finds: the measures, and what was asked for beyond them.
#pragma once

#include <optional>
#include <string>

#include "base/json_writer.h"
#include "metrics/ablation.h"
#include "metrics/comparison.h"
#include "metrics/evaluation.h"
#include "metrics/slices.h"

namespace headlight {

struct EvaluationResults {
  LabelSet labels;
  Evaluation evaluation;
  std::optional<Slices> slices;
  std::optional<Comparison> comparison;
  std::optional<Ablation> ablation;
  LabelSet labels_of_second;  // of `comparison`
};

/// One object: the fields of write_evaluation(), write_slices(), write_comparison() and
/// write_ablation().
void write_results(JsonWriter& json, const EvaluationResults& results);

std::string results_text(const EvaluationResults& results);

/// A complete page.
std::string results_page(const std::string& title, const EvaluationResults& results);

}  // namespace headlight
