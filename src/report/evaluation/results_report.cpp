#include "report/evaluation/results_report.h"

#include "report/evaluation/ablation_report.h"
#include "report/evaluation/comparison_report.h"
#include "report/evaluation/evaluation_page.h"
#include "report/evaluation/evaluation_report.h"
#include "report/evaluation/evaluation_text.h"
#include "report/evaluation/slices_report.h"

namespace headlight {

void write_results(JsonWriter& json, const EvaluationResults& results) {
  json.begin_object();
  write_evaluation_fields(json, results.labels, results.evaluation);
  if (results.slices) write_slices(json, results.labels, *results.slices);
  if (results.comparison) write_comparison(json, results.labels_of_second, *results.comparison);
  if (results.ablation) write_ablation(json, *results.ablation);
  json.end_object();
}

std::string results_text(const EvaluationResults& results) {
  std::string text = evaluation_text(results.labels, results.evaluation);
  if (results.slices) text += slices_text(results.labels, *results.slices);
  if (results.comparison) text += comparison_text(results.evaluation, *results.comparison);
  if (results.ablation) text += ablation_text(*results.ablation);
  return text;
}

std::string results_page(const std::string& title, const EvaluationResults& results) {
  std::string sections;
  if (results.comparison) sections += comparison_section(results.evaluation, *results.comparison);
  if (results.slices) sections += slices_section(results.labels, *results.slices);
  if (results.ablation) sections += ablation_section(*results.ablation);
  return evaluation_page(title, results.labels, results.evaluation, sections);
}

}  // namespace headlight
