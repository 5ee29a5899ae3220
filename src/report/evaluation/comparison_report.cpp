#include "report/evaluation/comparison_report.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"
#include "report/evaluation/evaluation_report.h"
#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_table.h"
#include "report/predictions/prediction_report.h"

namespace headlight {
namespace {

constexpr std::size_t kDisputedInText = 5;   // of each kind
constexpr std::size_t kDisputedOnPage = 50;  // of each kind

/// A measure of both models.
struct Rivals {
  const char* name;
  std::string first;
  std::string second;
  std::string change;
};

std::string signed_decimal(double value) { return formatted("%+.4f", value); }

/// Measures that both models have.
std::vector<Rivals> measures_side_by_side(const Evaluation& first, const Evaluation& second) {
  std::vector<Rivals> rows;
  const auto share = [&](const char* name, const auto& a, const auto& b) {
    if (a && b) {
      rows.push_back({name, percent(*a), percent(*b), formatted("%+.1f", 100 * (*b - *a)) + " pt"});
    }
  };
  const auto number = [&](const char* name, const auto& a, const auto& b) {
    if (a && b) rows.push_back({name, decimal(*a), decimal(*b), signed_decimal(*b - *a)});
  };
  share("accuracy", first.accuracy, second.accuracy);
  share("subset accuracy", first.subset_accuracy, second.subset_accuracy);
  if (first.f1 && second.f1) {
    number("macro F1", std::optional(first.f1->macro), std::optional(second.f1->macro));
    number("weighted F1", std::optional(first.f1->weighted), std::optional(second.f1->weighted));
  }
  number("Hamming loss", first.hamming_loss, second.hamming_loss);
  number("log loss", first.log_loss, second.log_loss);
  number("Brier score", first.brier, second.brier);
  number("calibration error (ECE)", first.ece, second.ece);
  number("area under ROC", first.auc, second.auc);
  return rows;
}

std::string p_value_text(double p) {
  return p < 0.0001 ? "p < 0.0001" : "p = " + formatted("%.4f", p);
}

/// The rows that only one model predicts correctly and what they mean.
std::string test_text(const Comparison& comparison) {
  const auto& interval = comparison.accuracy_change_interval;
  return "Change of accuracy " + formatted("%+.1f", 100 * comparison.accuracy_change) + " points" +
         (interval ? ", 95 % CI " + formatted("%+.1f", 100 * interval->low) + " to " +
                         formatted("%+.1f", 100 * interval->high)
                   : std::string(" (") + kTooFewRows + ")") +
         "; exact McNemar test " + p_value_text(comparison.p_value);
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

/// At most `most` of the rows that only one of the models predicts correctly.
std::vector<const DisputedRow*> disputed_rows(const Comparison& comparison, bool first_right,
                                              std::size_t most) {
  std::vector<const DisputedRow*> rows;
  for (const DisputedRow& row : comparison.disputed) {
    if ((row.first == row.gold) == first_right && rows.size() < most) rows.push_back(&row);
  }
  return rows;
}

std::string disputed_text(const Comparison& comparison, bool first_right) {
  const auto rows = disputed_rows(comparison, first_right, kDisputedInText);
  if (rows.empty()) return "";
  const auto& name = first_right ? comparison.first_name : comparison.second_name;
  const std::size_t all = first_right ? comparison.first_only : comparison.second_only;
  std::string text = "\nonly " + shown_name(name) + " is right (" + std::to_string(rows.size()) +
                     " of " + std::to_string(all) + " rows)\n";
  for (const DisputedRow* row : rows) {
    text += "  " + printable(shortened(row->id.text, 24)) + "  " +
            printable(row->first + " / " + row->second) + "  " +
            printable(shortened(row->input.text, 72)) + '\n';
  }
  return text;
}

std::string disputed_table(const Comparison& comparison, bool first_right) {
  const auto rows = disputed_rows(comparison, first_right, kDisputedOnPage);
  if (rows.empty()) return "";
  const auto& name = first_right ? comparison.first_name : comparison.second_name;
  const std::size_t all = first_right ? comparison.first_only : comparison.second_only;
  std::string table =
      "<h3>Only " + html_text(name) + " is right (" + std::to_string(rows.size()) + " of " +
      std::to_string(all) + " rows)</h3>\n<table class=\"rows\">\n" +
      html_row({"id", html_text(comparison.first_name), html_text(comparison.second_name), "text"},
               "th");
  for (const DisputedRow* row : rows) {
    const std::string pair = row->input.pair ? kPairArrow + *row->input.pair : "";
    table += html_row({html_text(row->id.text), html_text(row->first), html_text(row->second),
                       html_text(shortened(row->input.text + pair, 400))});
  }
  return table + "</table>\n";
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
  json.key("rows").begin_array();
  for (const DisputedRow& row : comparison.disputed) {
    json.begin_object().key("id");
    write_id(json, row.id);
    if (row.line > 0) json.field("line", row.line);
    json.field("text", row.input.text);
    if (row.input.pair) json.field("pair", *row.input.pair);
    json.field("gold", row.gold).field("first", row.first).field("second", row.second);
    json.end_object();
  }
  json.end_array().end_object();
}

std::string comparison_text(const Evaluation& first, const Comparison& comparison) {
  const auto names = shown_names({comparison.first_name, comparison.second_name});
  TextTable measures({"", names[0], names[1], "change"}, 1);
  for (const Rivals& row : measures_side_by_side(first, comparison.second)) {
    measures.add({row.name, row.first, row.second, row.change});
  }
  TextTable counts({"", names[1] + " right", names[1] + " wrong"}, 1);
  counts.add({names[0] + " right", std::to_string(comparison.both),
              std::to_string(comparison.first_only)});
  counts.add({names[0] + " wrong", std::to_string(comparison.second_only),
              std::to_string(comparison.neither)});
  return measures.text() + counts.text() + '\n' + test_text(comparison) + '\n' +
         agreement_text(comparison) + '\n' + disputed_text(comparison, /*first_right=*/true) +
         disputed_text(comparison, /*first_right=*/false);
}

std::string comparison_section(const Evaluation& first, const Comparison& comparison) {
  const std::string name = html_text(comparison.first_name);
  const std::string other = html_text(comparison.second_name);
  std::string section = "<h2>" + name + " and " + other + "</h2>\n<table>\n" +
                        html_row({"", name, other, "change"}, "th");
  for (const Rivals& row : measures_side_by_side(first, comparison.second)) {
    section += html_row({row.name, row.first, row.second, row.change});
  }
  section += "</table>\n<p></p>\n<table>\n" +
             html_row({"rows", other + " right", other + " wrong"}, "th") +
             html_row({name + " right", std::to_string(comparison.both),
                       std::to_string(comparison.first_only)}) +
             html_row({name + " wrong", std::to_string(comparison.second_only),
                       std::to_string(comparison.neither)}) +
             "</table>\n";
  return section + "<p>" + html_text(test_text(comparison)) + ". " +
         html_text(agreement_text(comparison)) + ".</p>\n" +
         disputed_table(comparison, /*first_right=*/true) +
         disputed_table(comparison, /*first_right=*/false);
}

}  // namespace headlight
