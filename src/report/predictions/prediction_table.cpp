#include "report/predictions/prediction_table.h"

#include "report/predictions/entity_report.h"

namespace headlight {
namespace {

template <typename Number>
Cell number(Number value) {
  std::string text;
  JsonWriter(text).number(value);
  return text;
}

Cell unless_none(std::size_t count, std::size_t none) {
  return count > none ? number(count) : Cell();
}

}  // namespace

PredictionTable::PredictionTable(const LabelSet& labels, const PredictionView& view)
    : prefix_(view.prefix) {
  if (labels.each_token) {
    add_token_labels(view);
    add_counts(view);
    return;
  }
  const bool regression = labels.problem_type == ProblemType::regression;
  const bool one_value = regression && labels.names.size() == 1;
  if (!regression) add_verdict(labels, view);
  if (one_value)
    columns_.push_back({"value", [](const Prediction& p) { return number(p.scores[0]); }});
  if (regression && !one_value) add_numbers("value.", labels.names, &Prediction::scores);
  if (view.logits) add_numbers("logit.", labels.names, &Prediction::logits);
  if (view.probabilities && labels.probabilities && !regression) {
    add_numbers("probability.", labels.names, &Prediction::scores);
  }
  add_counts(view);
}

void PredictionTable::add_token_labels(const PredictionView& view) {
  const auto add = [&](const char* name, void (*write)(JsonWriter&, const TokenLabels&)) {
    columns_.push_back({name, [write](const Prediction& p) {
                          std::string json;
                          JsonWriter writer(json);
                          write(writer, p.token_labels);
                          return json;
                        }});
  };
  add("entities", &write_entities);
  if (!view.logits) return;
  add("token_logits", &write_token_logits);
  add("ids", &write_token_ids);
  add("offsets", &write_offsets);
}

void PredictionTable::add_verdict(const LabelSet& labels, const PredictionView& view) {
  columns_.push_back(
      {"label", [&labels, view](const Prediction& p) { return given_label(labels, p, view); }});
  if (labels.probabilities) {
    columns_.push_back(
        {"probability", [](const Prediction& p) { return number(p.scores[p.best]); }});
  }
  if (!lists_labels(labels, view)) return;
  columns_.push_back({"labels", [&labels, view](const Prediction& p) {
                        std::string names;
                        for (const std::size_t label : labels_to_list(labels, p, view)) {
                          names += (names.empty() ? "" : "|") + labels.names[label];
                        }
                        return names;
                      }});
}

void PredictionTable::add_numbers(const std::string& name, const std::vector<std::string>& labels,
                                  std::vector<float> Prediction::*values) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    columns_.push_back(
        {name + labels[i], [i, values](const Prediction& p) { return number((p.*values)[i]); }});
  }
}

void PredictionTable::add_counts(const PredictionView& view) {
  if (view.tokens) {
    columns_.push_back({"tokens", [](const Prediction& p) { return number(p.tokens); }});
  }
  columns_.push_back(
      {"truncated", [](const Prediction& p) { return unless_none(p.truncated, 0); }});
  if (view.windows) {
    columns_.push_back({"windows", [](const Prediction& p) { return unless_none(p.windows, 1); }});
  }
}

std::vector<std::string> PredictionTable::names() const {
  std::vector<std::string> names;
  for (const Column& column : columns_) names.push_back(prefix_ + column.name);
  names.push_back(prefix_ + "error");
  return names;
}

std::vector<Cell> PredictionTable::cells(const Prediction& prediction) const {
  const bool scored = prediction.error.empty();
  std::vector<Cell> cells;
  for (const Column& column : columns_) {
    cells.push_back(scored ? column.cell(prediction) : std::nullopt);
  }
  cells.push_back(scored ? Cell() : prediction.error);
  return cells;
}

}  // namespace headlight
