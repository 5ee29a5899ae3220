#include "report/evaluation/comparison_report.h"

#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "report/evaluation/evaluation_report.h"
#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_table.h"

namespace headlight {
namespace {

constexpr std::size_t kDisputedInText = 5;   // of each kind
constexpr std::size_t kDisputedOnPage = 50;  // of each kind

/// Measures that both models have; `names` are those of the models.
TextTable measures_side_by_side(const std::vector<std::string>& names, const Evaluation& first,
                                const Evaluation& second) {
  TextTable table({"", names[0], names[1], "change"}, 1);
  for (const Measure& measure : first.measures) {
    const Measure* other = second.find(measure.field);
    if (other == nullptr || std::string_view(measure.field) == "micro_f1") continue;
    const double change = other->value - measure.value;
    if (measure.unit == Unit::share) {
      table.add({measure.name, percent(measure.value), percent(other->value),
                 formatted("%+.1f", 100 * change) + " pt"});
    } else {
      table.add({measure.name, decimal(measure.value), decimal(other->value),
                 formatted("%+.4f", change)});
    }
  }
  return table;
}

/// How many rows both models predict correctly, and only one of them; `corner` is the heading of
/// the first column.
TextTable counts_table(const std::string& corner, const std::vector<std::string>& names,
                       const Comparison& comparison) {
  TextTable table({corner, names[1] + " right", names[1] + " wrong"}, 1);
  table.add({names[0] + " right", std::to_string(comparison.both),
             std::to_string(comparison.first_only)});
  table.add({names[0] + " wrong", std::to_string(comparison.second_only),
             std::to_string(comparison.neither)});
  return table;
}

/// The rows that only one model predicts correctly and what they mean.
std::string test_text(const Comparison& comparison) {
  const auto& interval = comparison.accuracy_change_interval;
  return "Change of accuracy " + formatted("%+.1f", 100 * comparison.accuracy_change) + " points" +
         (interval ? ", 95 % CI " + formatted("%+.1f", 100 * interval->low) + " to " +
                         formatted("%+.1f", 100 * interval->high)
                   : std::string(" (") + kTooFewRows + ")") +
         "; exact McNemar test " +
         (comparison.p_value < 0.0001 ? "p < 0.0001" : "p = " + decimal(comparison.p_value));
}

std::string agreement_text(const Comparison& comparison) {
  const std::size_t rows = comparison.rows();
  const double share =
      rows == 0 ? 0.0 : static_cast<double>(comparison.agreeing) / static_cast<double>(rows);
  return "Same prediction in " + std::to_string(comparison.agreeing) + " of " +
         std::to_string(rows) + " rows (" + percent(share) + ")" +
         (comparison.errors > 0
              ? "; " + std::to_string(comparison.errors) + " rows with errors left out"
              : "");
}

/// Rows that only one of the models predicts correctly.
struct DisputedRows {
  std::string model;
  std::string counted;  // " is right (5 of 7 rows)"
  std::vector<const DisputedRow*> rows;
};

/// At most `most` rows for each model; none for one without such rows.
std::vector<DisputedRows> disputed_rows(const Comparison& comparison, std::size_t most) {
  std::vector<DisputedRows> disputed;
  for (const bool first_right : {true, false}) {
    const std::size_t all = first_right ? comparison.first_only : comparison.second_only;
    std::vector<const DisputedRow*> rows;
    for (const DisputedRow& row : comparison.disputed) {
      if ((row.first == row.gold) == first_right && rows.size() < most) rows.push_back(&row);
    }
    if (rows.empty()) continue;
    disputed.push_back(
        {first_right ? comparison.first_name : comparison.second_name,
         " is right (" + std::to_string(rows.size()) + " of " + std::to_string(all) + " rows)",
         rows});
  }
  return disputed;
}

}  // namespace

void write_comparison(JsonWriter& json, const LabelSet& labels, const Comparison& comparison) {
  json.key("comparison").begin_object();
  json.field("model", comparison.second_name)
      .field("both", comparison.both)
      .field("first_only", comparison.first_only)
      .field("second_only", comparison.second_only)
      .field("neither", comparison.neither)
      .field("errors", comparison.errors)
      .field("agreement", comparison.agreeing)
      .field("p_value", comparison.p_value);
  if (comparison.rows() > 0) {
    json.field("accuracy_change", comparison.accuracy_change);
    interval_field(json, "accuracy_change_interval", comparison.accuracy_change_interval);
  }
  json.key("second");
  write_evaluation(json, labels, comparison.second);
  json.key("rows").array(comparison.disputed, [&](const DisputedRow& row) {
    begin_row(json, row.id, row.line, row.input);
    json.field("gold", row.gold).field("first", row.first).field("second", row.second);
    json.end_object();
  });
  json.end_object();
}

std::string comparison_text(const Evaluation& first, const Comparison& comparison) {
  const auto names = shown_names({comparison.first_name, comparison.second_name});
  std::string text = measures_side_by_side(names, first, comparison.second).text() +
                     counts_table("", names, comparison).text() + '\n' + test_text(comparison) +
                     '\n' + agreement_text(comparison) + '\n';
  for (const auto& [model, counted, rows] : disputed_rows(comparison, kDisputedInText)) {
    text += "\nonly " + shown_name(model) + counted + '\n';
    for (const DisputedRow* row : rows) {
      text += "  " + printable(shortened(row->id.text, 24)) + "  " +
              printable(row->first + " / " + row->second) + "  " +
              printable(shortened(row->input.text, 72)) + '\n';
    }
  }
  return text;
}

std::string comparison_section(const Evaluation& first, const Comparison& comparison) {
  const std::vector<std::string> names = {comparison.first_name, comparison.second_name};
  std::string section = "<h2>" + html_text(names[0]) + " and " + html_text(names[1]) + "</h2>\n" +
                        html_table(measures_side_by_side(names, first, comparison.second)) +
                        "<p></p>\n" + html_table(counts_table("rows", names, comparison)) + "<p>" +
                        html_text(test_text(comparison)) + ". " +
                        html_text(agreement_text(comparison)) + ".</p>\n";
  for (const auto& [model, counted, rows] : disputed_rows(comparison, kDisputedOnPage)) {
    TextTable table({"id", names[0], names[1], "text"}, 4);
    for (const DisputedRow* row : rows) {
      const std::string pair = row->input.pair ? kPairArrow + *row->input.pair : "";
      table.add({row->id.text, row->first, row->second, shortened(row->input.text + pair, 400)});
    }
    section += "<h3>Only " + html_text(model) + counted + "</h3>\n" +
               html_table(table, 0, "<table class=\"rows\">");
  }
  return section;
}

}  // namespace headlight
