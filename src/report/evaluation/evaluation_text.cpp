#include "report/evaluation/evaluation_text.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"
#include "metrics/mistakes.h"
#include "report/attention/head_statistics.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_table.h"
#include "report/models/architecture_text.h"

namespace headlight {
namespace {

constexpr std::size_t kListedMistakes = 20;

void add_line(std::string& text, const std::string& name, const std::string& what) {
  text += begin_in(name, 24) + what + '\n';
}

std::string summary(const Evaluation& evaluation) {
  std::string text;
  add_line(text, "rows", std::to_string(evaluation.rows));
  if (evaluation.errors > 0) {
    add_line(text, "errors", std::to_string(evaluation.errors) + ", not measured");
  }
  const std::string unknown = unknown_labels_text(evaluation);
  if (!unknown.empty()) add_line(text, "unknown labels", unknown);
  if (evaluation.accuracy && evaluation.accuracy_interval) {
    const auto& [low, high] = *evaluation.accuracy_interval;
    add_line(text, "accuracy",
             percent(*evaluation.accuracy) + ", 95 % CI " + percent_range(low, high));
  }
  if (evaluation.subset_accuracy) {
    add_line(text, "subset accuracy", percent(*evaluation.subset_accuracy));
  }
  for (const auto& [name, on_page, value] : named_measures(evaluation)) {
    if (value) add_line(text, name, decimal(*value));
  }
  return text;
}

std::string labels_text(const LabelSet& labels, const Evaluation& evaluation) {
  if (evaluation.labels.empty()) return "";
  const bool multi_label = labels.problem_type == ProblemType::multi_label;
  std::vector<std::string> heading = {"label", "precision", "recall", "F1", "rows"};
  if (multi_label) heading.emplace_back("threshold");
  TextTable table(heading, 1);
  const auto names = shown_names(measured_names(labels, evaluation));
  for (std::size_t i = 0; i < evaluation.labels.size(); ++i) {
    const LabelMeasures& label = evaluation.labels[i];
    std::vector<std::string> row = {names[i], decimal(label.precision), decimal(label.recall),
                                    decimal(label.f1), std::to_string(label.support)};
    if (multi_label) row.push_back(i < labels.names.size() ? decimal(labels.threshold(i)) : "-");
    table.add(row);
  }
  return table.text();
}

std::string matrix_text(const std::vector<std::string>& labels, const ConfusionMatrix& confusion) {
  std::vector<std::string> heading = {"gold \\ predicted"};
  const auto names = shown_names(labels);
  for (std::size_t i = 0; i < confusion.labels(); ++i) heading.push_back(names[i]);
  TextTable table(heading, 1);
  for (std::size_t gold = 0; gold < confusion.gold_labels(); ++gold) {
    std::vector<std::string> row = {names[gold]};
    for (std::size_t predicted = 0; predicted < confusion.labels(); ++predicted) {
      row.push_back(std::to_string(confusion.at(gold, predicted)));
    }
    table.add(row);
  }
  return table.text();
}

std::string mistakes_text(const std::vector<std::string>& labels,
                          const ConfusionMatrix& confusion) {
  TextTable table({"gold", "predicted", "rows"}, 2);
  const auto names = shown_names(labels);
  for (const auto& [gold, predicted, rows] : worst_mistakes(confusion, kListedMistakes)) {
    table.add({names[gold], names[predicted], std::to_string(rows)});
  }
  return table.text();
}

std::string coverage_text(const Evaluation& evaluation) {
  if (evaluation.coverage.empty()) return "";
  TextTable table({"confidence ≥", "rows", "coverage", "accuracy"}, 0);
  std::size_t before = evaluation.rows + 1;
  for (const CoveragePoint& point : evaluation.coverage) {
    if (point.rows == before) continue;  // the same rows as the line before
    before = point.rows;
    table.add({percent(point.threshold), std::to_string(point.rows), percent(point.coverage),
               point.rows == 0 ? "-" : percent(point.accuracy)});
  }
  return table.text();
}

std::string fitted_text(const LabelSet& labels, const Evaluation& evaluation) {
  std::string text;
  if (const auto& fit = evaluation.temperature) {
    text += "\ntemperature " + decimal(fit->temperature) + ": log loss " +
            decimal(fit->log_loss_before) + " before, " + decimal(fit->log_loss_after) + " after\n";
  }
  if (evaluation.thresholds.empty()) return text;
  TextTable table({"label", "new threshold", "new F1"}, 1);
  const auto names = shown_names(labels.names);
  for (std::size_t i = 0; i < evaluation.thresholds.size(); ++i) {
    const auto& fit = evaluation.thresholds[i];
    if (fit) table.add({names[i], decimal(fit->threshold), decimal(fit->f1)});
  }
  return text + table.text();
}

}  // namespace

std::vector<NamedMeasure> named_measures(const Evaluation& evaluation) {
  std::vector<NamedMeasure> measures;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    measures.push_back({name, name, value});
  };
  add("Hamming loss", evaluation.hamming_loss);
  if (const auto& f1 = evaluation.f1) {
    add("macro F1", f1->macro);
    add("micro F1", f1->micro);
    add("weighted F1", f1->weighted);
  }
  add("log loss", evaluation.log_loss);
  add("Brier score", evaluation.brier);
  measures.push_back({"calibration error (ECE)", "expected calibration error", evaluation.ece});
  measures.push_back({"area under ROC", "area under the ROC curve", evaluation.auc});
  if (const auto& regression = evaluation.regression) {
    add("mean squared error", regression->mean_squared_error);
    add("mean absolute error", regression->mean_absolute_error);
    add("Pearson correlation", regression->pearson);
    add("Spearman correlation", regression->spearman);
  }
  return measures;
}

std::string unknown_labels_text(const Evaluation& evaluation) {
  const std::size_t rows = evaluation.unknown_label_rows;
  const std::size_t labels = evaluation.unknown_labels.size();
  if (rows == 0) return "";
  return grouped(rows) + (rows == 1 ? " row has " : " rows have ") + grouped(labels) +
         (labels == 1 ? " label" : " labels") + " that the model lacks; counted as wrong";
}

std::string evaluation_text(const LabelSet& labels, const Evaluation& evaluation) {
  std::string text = summary(evaluation) + labels_text(labels, evaluation);
  if (const auto& confusion = evaluation.confusion) {
    const auto names = measured_names(labels, evaluation);
    text += names.size() <= kLabelsOfAMatrix ? matrix_text(names, *confusion)
                                             : mistakes_text(names, *confusion);
  }
  text += coverage_text(evaluation) + head_statistics_text(evaluation.attention) +
          fitted_text(labels, evaluation);
  if (!evaluation.notes.empty()) text += '\n';
  for (const auto& note : evaluation.notes) text += printable(note) + '\n';
  return text;
}

}  // namespace headlight
