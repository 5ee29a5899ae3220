#include "report/evaluation/evaluation_report.h"

#include <string_view>

#include "report/attention/head_statistics.h"
#include "report/evaluation/ablation_report.h"
#include "report/evaluation/cascade_report.h"
#include "report/evaluation/comparison_report.h"
#include "report/evaluation/slices_report.h"
#include "report/predictions/prediction_report.h"

namespace headlight {
namespace {

/// In JSON, these follow what is said of each label.
bool follows_labels(const Measure& measure) {
  const std::string_view field = measure.field;
  return field == "subset_accuracy" || field == "hamming_loss";
}

void write_labels(JsonWriter& json, const LabelSet& labels, const Evaluation& evaluation) {
  if (evaluation.labels.empty()) return;
  json.key("labels").begin_array();
  const auto names = measured_names(labels, evaluation);
  for (std::size_t i = 0; i < evaluation.labels.size(); ++i) {
    const LabelMeasures& label = evaluation.labels[i];
    json.begin_object()
        .field("label", names[i])
        .field("precision", label.precision)
        .field("recall", label.recall)
        .field("f1", label.f1)
        .field("support", label.support);
    if (labels.problem_type == ProblemType::multi_label && i < labels.names.size()) {
      json.field("threshold", labels.threshold(i));
    }
    json.end_object();
  }
  json.end_array();
}

void write_confusion(JsonWriter& json, const ConfusionMatrix& confusion) {
  json.key("confusion").begin_array();
  for (std::size_t gold = 0; gold < confusion.gold_labels(); ++gold) {
    json.begin_array();
    for (std::size_t predicted = 0; predicted < confusion.labels(); ++predicted) {
      json.number(confusion.at(gold, predicted));
    }
    json.end_array();
  }
  json.end_array();
}

void write_calibration(JsonWriter& json, const std::vector<CalibrationBin>& bins) {
  json.key("calibration").array(bins, [&](const CalibrationBin& bin) {
    json.begin_object().field("low", bin.low).field("high", bin.high).field("rows", bin.rows);
    if (bin.rows > 0) json.field("confidence", bin.confidence).field("accuracy", bin.accuracy);
    json.end_object();
  });
}

void write_coverage(JsonWriter& json, const std::vector<CoveragePoint>& points) {
  json.key("coverage").array(points, [&](const CoveragePoint& point) {
    json.begin_object()
        .field("threshold", point.threshold)
        .field("rows", point.rows)
        .field("coverage", point.coverage);
    if (point.rows > 0) json.field("accuracy", point.accuracy);
    json.end_object();
  });
}

void write_fitted(JsonWriter& json, const LabelSet& labels, const Evaluation& evaluation) {
  if (!evaluation.temperature && evaluation.thresholds.empty()) return;
  json.key("fitted").begin_object();
  if (const auto& fit = evaluation.temperature) {
    json.field("temperature", fit->temperature)
        .field("log_loss_before", fit->log_loss_before)
        .field("log_loss_after", fit->log_loss_after);
  }
  if (!evaluation.thresholds.empty()) {
    json.key("thresholds").begin_object();
    for (std::size_t i = 0; i < evaluation.thresholds.size(); ++i) {
      const auto& fit = evaluation.thresholds[i];
      if (fit) json.field(labels.names[i], fit->threshold);
    }
    json.end_object();
  }
  json.end_object();
}

}  // namespace

void write_results(JsonWriter& json, const Measured& results) {
  json.begin_object();
  write_evaluation_fields(json, results.labels, results.evaluation);
  if (results.slices) write_slices(json, results.labels, *results.slices);
  if (results.comparison) write_comparison(json, results.labels_of_second, *results.comparison);
  if (results.cascade) write_cascade(json, *results.cascade);
  if (results.ablation) write_ablation(json, *results.ablation);
  if (results.attribution) write_ablation(json, *results.attribution);
  json.end_object();
}

void write_entity_evaluation(JsonWriter& json, const EntityEvaluation& evaluation) {
  LabelSet labels;
  labels.names = evaluation.names;
  json.begin_object();
  write_evaluation_fields(json, labels, evaluation.measured);
  if (evaluation.names.empty()) json.key("labels").begin_array().end_array();
  json.end_object();
}

void interval_field(JsonWriter& json, const std::string& name,
                    const std::optional<Interval>& interval) {
  if (!interval) return;
  json.key(name).begin_array().number(interval->low).number(interval->high).end_array();
}

void write_measure(JsonWriter& json, const Measure& measure) {
  json.field(measure.field, measure.value);
  interval_field(json, std::string(measure.field) + "_interval", measure.interval);
}

void write_evaluation(JsonWriter& json, const LabelSet& labels, const Evaluation& evaluation) {
  json.begin_object();
  write_evaluation_fields(json, labels, evaluation);
  json.end_object();
}

void write_evaluation_fields(JsonWriter& json, const LabelSet& labels,
                             const Evaluation& evaluation) {
  json.field("rows", evaluation.rows).field("errors", evaluation.errors);
  if (evaluation.unknown_label_rows > 0) {
    json.field("unknown_label_rows", evaluation.unknown_label_rows);
  }
  if (evaluation.read.unknown > 0) write_tokens(json, evaluation.read);
  for (const Measure& measure : evaluation.measures) {
    if (!follows_labels(measure)) write_measure(json, measure);
  }
  write_labels(json, labels, evaluation);
  if (evaluation.confusion) write_confusion(json, *evaluation.confusion);
  if (!evaluation.calibration.empty()) write_calibration(json, evaluation.calibration);
  if (!evaluation.coverage.empty()) write_coverage(json, evaluation.coverage);
  for (const Measure& measure : evaluation.measures) {
    if (follows_labels(measure)) write_measure(json, measure);
  }
  if (!evaluation.at.empty()) {
    json.key("at").array(evaluation.at, [&](const LabelsAt& at) {
      json.begin_object().field("k", at.k).field("precision", at.precision);
      json.field("recall", at.recall).end_object();
    });
  }
  if (!evaluation.attention.empty()) {
    json.key("attention");
    write_head_statistics(json, evaluation.attention);
  }
  write_fitted(json, labels, evaluation);
  if (!evaluation.notes.empty()) json.key("notes").strings(evaluation.notes);
}

void begin_row(JsonWriter& json, const RowId& id, std::size_t line, const TextInput& input) {
  json.begin_object().key("id");
  write_id(json, id);
  if (line > 0) json.field("line", line);
  json.field("text", input.text);
  if (input.pair) json.field("pair", *input.pair);
}

void write_wrong_row(JsonWriter& json, const LabelSet& labels, const Gold& gold, const Row& row,
                     const Prediction& prediction) {
  begin_row(json, row.id, row.line, row.input);
  json.key("gold");
  if (labels.problem_type == ProblemType::regression) {
    json.number(gold.value);
  } else if (labels.problem_type == ProblemType::single_label &&
             gold.labels.size() + gold.unknown.size() == 1) {
    json.string(gold.labels.empty() ? gold.unknown.front() : labels.names[gold.labels.front()]);
  } else {
    json.begin_array();
    for (const std::size_t label : gold.labels) json.string(labels.names[label]);
    for (const std::string& label : gold.unknown) json.string(label);
    json.end_array();
  }
  write_prediction(json, labels, prediction, {});
  json.end_object();
}

}  // namespace headlight
