#include "report/evaluation/evaluation_text.h"

#include "base/utf8.h"
#include "report/attention/head_statistics.h"

namespace headlight {
namespace {

constexpr std::size_t kListedMistakes = 20;

/// "1,320 rows have 33 labels that the model lacks; counted as wrong"
std::string unknown_labels_text(const Evaluation& evaluation) {
  const std::size_t rows = evaluation.unknown_label_rows;
  const std::size_t labels = evaluation.unknown_labels.size();
  return grouped(rows) + (rows == 1 ? " row has " : " rows have ") + grouped(labels) +
         (labels == 1 ? " label" : " labels") + " that the model lacks; counted as wrong";
}

std::string matrix_text(const std::vector<std::string>& names, const ConfusionMatrix& confusion) {
  std::vector<std::string> heading = {"gold \\ predicted"};
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

/// Without those that have the same rows as the one before.
std::vector<CoveragePoint> different_points(const std::vector<CoveragePoint>& points) {
  std::vector<CoveragePoint> different;
  for (const CoveragePoint& point : points) {
    if (different.empty() || different.back().rows != point.rows) different.push_back(point);
  }
  return different;
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

std::string measure_text(const Measure& measure) {
  if (measure.unit == Unit::number) return decimal(measure.value);
  const auto& interval = measure.interval;
  return percent(measure.value) +
         (interval ? ", 95 % CI " + percent_range(interval->low, interval->high) : "");
}

Facts evaluation_facts(const Evaluation& evaluation) {
  Facts facts = {{"rows", std::to_string(evaluation.rows)}};
  if (evaluation.errors > 0) {
    facts.emplace_back("errors", std::to_string(evaluation.errors) + ", not measured");
  }
  if (evaluation.unknown_label_rows > 0) {
    facts.emplace_back("unknown labels", unknown_labels_text(evaluation));
  }
  for (const Measure& measure : evaluation.measures) {
    facts.emplace_back(measure.name, measure_text(measure));
  }
  return facts;
}

TextTable labels_table(const LabelSet& labels, const Evaluation& evaluation,
                       const std::vector<std::string>& names) {
  const bool multi_label = labels.problem_type == ProblemType::multi_label;
  std::vector<std::string> heading = {"label", "precision", "recall", "F1", "rows"};
  if (multi_label) heading.emplace_back("threshold");
  TextTable table(heading, 1);
  for (std::size_t i = 0; i < evaluation.labels.size(); ++i) {
    const LabelMeasures& label = evaluation.labels[i];
    std::vector<std::string> row = {names[i], decimal(label.precision), decimal(label.recall),
                                    decimal(label.f1), std::to_string(label.support)};
    if (multi_label) row.push_back(i < labels.names.size() ? decimal(labels.threshold(i)) : "-");
    table.add(row);
  }
  return table;
}

TextTable mistakes_table(const ConfusionMatrix& confusion, const std::vector<std::string>& names,
                         std::size_t most) {
  TextTable table({"gold", "predicted", "rows"}, 2);
  for (const auto& [gold, predicted, rows] : confusion.worst_mistakes(most)) {
    table.add({names[gold], names[predicted], std::to_string(rows)});
  }
  return table;
}

TextTable coverage_table(const std::vector<CoveragePoint>& points) {
  TextTable table({"confidence ≥", "rows", "coverage", "accuracy"}, 0);
  for (const CoveragePoint& point : points) {
    table.add({percent(point.threshold), std::to_string(point.rows), percent(point.coverage),
               point.rows == 0 ? "-" : percent(point.accuracy)});
  }
  return table;
}

std::string evaluation_text(const LabelSet& labels, const Evaluation& evaluation) {
  std::string text = facts_text(evaluation_facts(evaluation));
  const auto names = shown_names(measured_names(labels, evaluation));
  if (!evaluation.labels.empty()) text += labels_table(labels, evaluation, names).text();
  if (const auto& confusion = evaluation.confusion) {
    text += names.size() <= kLabelsOfAMatrix
                ? matrix_text(names, *confusion)
                : mistakes_table(*confusion, names, kListedMistakes).text();
  }
  if (!evaluation.coverage.empty()) {
    text += coverage_table(different_points(evaluation.coverage)).text();
  }
  text += head_statistics_text(evaluation.attention) + fitted_text(labels, evaluation);
  if (!evaluation.notes.empty()) text += '\n';
  for (const auto& note : evaluation.notes) text += printable(note) + '\n';
  return text;
}

}  // namespace headlight
