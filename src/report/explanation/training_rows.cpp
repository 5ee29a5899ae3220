#include "report/explanation/training_rows.h"

#include <algorithm>
#include <cmath>

#include "report/explanation/explanation_view.h"
#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_table.h"
#include "report/predictions/prediction_report.h"

namespace headlight {
namespace {

constexpr std::size_t kColumnGap = 2;  // between the columns of a table of text
constexpr const char* kPartialNote =
    "More than the last layer of the model was trained. These are the effects of the rows on that "
    "layer alone.";

/// The cells of the rows: effect, its label if there are several, the row's label, number, text.
TextTable rows_table(const LabelSet& labels, const TrainingRows& found, std::size_t text_columns) {
  const bool several = found.labels.size() > 1;
  std::vector<std::string> heading = {"effect", "its label", "row", "text"};
  if (several) heading.insert(heading.begin() + 1, "on");
  TextTable table(heading, heading.size());
  for (const InfluentialRow& each : found.rows) {
    const std::size_t label = *std::ranges::max_element(
        found.labels, {}, [&](std::size_t k) { return std::abs(each.effect[k]); });
    std::vector<std::string> cells = {signed_number(each.effect[label]), shown_name(each.label),
                                      std::to_string(each.row->number),
                                      shown_input(each.row->input)};
    if (text_columns > 0) cells.back() = cut_to(cells.back(), text_columns);
    if (several) cells.insert(cells.begin() + 1, shown_name(labels.names[label]));
    table.add(cells);
  }
  return table;
}

/// "positive", or "a, b" of several; "the value" of a regression.
std::string what_was_pushed(const LabelSet& labels, const TrainingRows& found) {
  if (labels.problem_type == ProblemType::regression) return "the value";
  return joined(found.labels, ", ", [&](std::size_t k) { return shown_name(labels.names[k]); });
}

}  // namespace

std::vector<std::size_t> labels_pushed(const LabelSet& labels, const Prediction& prediction) {
  std::vector<std::size_t> pushed;
  const bool has_several = labels.problem_type == ProblemType::multi_label;
  if (has_several && !prediction.scores.empty()) pushed = labels_to_list(labels, prediction, {});
  if (pushed.empty()) pushed.push_back(prediction.best);
  return pushed;
}

std::string training_rows_text(const LabelSet& labels, const TrainingRows& found) {
  constexpr std::size_t kTerminal = 80;
  constexpr std::size_t kNarrowest = 20;  // of the texts
  std::size_t columns = kTerminal;        // for the texts
  const TextTable narrow = rows_table(labels, found, kNarrowest);
  for (std::size_t i = 0; i + 1 < narrow.rows().front().size(); ++i) {
    std::size_t widest = 0;
    for (const auto& row : narrow.rows()) widest = std::max(widest, width_of(row[i]));
    columns -= std::min(columns, widest + kColumnGap);
  }
  const TextTable table = rows_table(labels, found, std::max(columns, kNarrowest));
  return "\ntraining rows that pushed " + what_was_pushed(labels, found) + " most" + table.text() +
         (found.is_partial ? std::string(kPartialNote) + '\n' : "");
}

std::string training_rows_section(const LabelSet& labels, const TrainingRows& found) {
  return "<h2>Training rows</h2>\n<p>Effect: by how much the logit of " +
         html_text(what_was_pushed(labels, found)) +
         " would fall if the model were trained without the row; negative: rise. " +
         (found.is_partial ? kPartialNote : "") + "</p>\n" +
         html_scroller("training rows",
                       html_table(rows_table(labels, found, 0), 0, "<table class=\"rows\">"));
}

void write_training_rows(JsonWriter& json, const LabelSet& labels, const TrainingRows& found) {
  json.key("training_rows").array(found.rows, [&](const InfluentialRow& each) {
    json.begin_object().key("id");
    write_id(json, each.row->id);
    json.field("text", each.row->input.text);
    if (each.row->input.pair) json.field("pair", *each.row->input.pair);
    json.field("label", each.label).key("effect");
    write_by_label(json, labels.names, each.effect);
    json.end_object();
  });
  if (found.is_partial) json.key("last_layer_only").raw("true");
}

}  // namespace headlight
