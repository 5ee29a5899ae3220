#include "report/evaluation/slices_report.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"
#include "report/evaluation/evaluation_report.h"
#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/formats/svg.h"
#include "report/formats/text_table.h"

namespace headlight {
namespace {

std::string shown_value(const Slice& slice) {
  return slice.value ? shown_name(*slice.value) : "(missing)";
}

std::string share_cell(const Measure& measure) { return percent(measure.value); }
std::string number_cell(const Measure& measure) { return decimal(measure.value); }
std::string interval_cell(const Measure& measure) {
  return measure.interval ? percent_range(measure.interval->low, measure.interval->high) : "-";
}

/// What a table has of each slice; `field` as in Evaluation.
struct SliceColumn {
  const char* heading;
  const char* field;
  std::string (*cell)(const Measure&) = &number_cell;
};

std::vector<SliceColumn> slice_columns(const LabelSet& labels) {
  if (labels.problem_type == ProblemType::regression) {
    return {{"MSE", "mse"}, {"MAE", "mae"}, {"Pearson", "pearson"}, {"Spearman", "spearman"}};
  }
  const bool several = labels.problem_type == ProblemType::multi_label;
  const char* accuracy = several ? "subset_accuracy" : "accuracy";
  return {{several ? "subset acc." : "accuracy", accuracy, &share_cell},
          {"95 % CI", accuracy, &interval_cell},
          {"macro F1", "macro_f1"},
          {"log loss", "log_loss"},
          several ? SliceColumn{"Hamming", "hamming_loss"} : SliceColumn{"ECE", "ece"}};
}

std::vector<std::string> slices_heading(const LabelSet& labels, const std::string& by) {
  std::vector<std::string> heading = {by, "rows", "errors"};
  for (const SliceColumn& column : slice_columns(labels)) heading.emplace_back(column.heading);
  return heading;
}

std::vector<std::string> slice_row(const LabelSet& labels, const Slice& slice) {
  const Evaluation& found = slice.evaluation;
  std::vector<std::string> row = {shown_value(slice), std::to_string(found.rows),
                                  std::to_string(found.errors)};
  for (const SliceColumn& column : slice_columns(labels)) {
    const Measure* measure = found.find(column.field);
    row.push_back(measure == nullptr ? "-" : column.cell(*measure));
  }
  return row;
}

/// The interval as a line from 0 to 1, with a dot at the share itself.
std::string interval_picture(const Evaluation& evaluation) {
  constexpr double kWidth = 120.0;
  constexpr double kHeight = 16.0;
  if (evaluation.measures.empty()) return "";
  const auto& [field, name, share, interval, unit] = evaluation.measures.front();
  if (!interval) return "";
  const double y = kHeight / 2;
  const double low = kWidth * interval->low;
  const double length = std::max(kWidth * (interval->high - interval->low), 1.0);
  return svg_figure(
      kWidth, kHeight, percent_range(interval->low, interval->high),
      R"(<path class="line" d="M 0 )" + pixels(y) + " h " + pixels(kWidth) + "\"/>\n" +
          svg_box({low, y - 3.0, length, 6.0}, R"(class="mark" fill-opacity="0.5")", "") +
          svg_box({kWidth * share - 1.0, 1.0, 2.0, kHeight - 2.0}, "class=\"mark\"", ""));
}

std::string slices_left_out(const Slices& slices) {
  if (slices.slices.size() <= kShownSlices) return "";
  return std::to_string(slices.slices.size() - kShownSlices) +
         " better slices are not shown; JSON has all";
}

}  // namespace

void write_slices(JsonWriter& json, const LabelSet& labels, const Slices& slices) {
  json.field("by", slices.by).key("slices").begin_array();
  for (const Slice& slice : slices.slices) {
    json.begin_object().key("value");
    if (slice.value) {
      json.string(*slice.value);
    } else {
      json.null();
    }
    write_evaluation_fields(json, labels, slice.evaluation);
    json.end_object();
  }
  json.end_array();
}

std::string slices_text(const LabelSet& labels, const Slices& slices) {
  TextTable table(slices_heading(labels, shown_name(slices.by)), 1);
  const std::size_t shown = std::min(slices.slices.size(), kShownSlices);
  for (std::size_t i = 0; i < shown; ++i) table.add(slice_row(labels, slices.slices[i]));
  const std::string more = slices_left_out(slices);
  return table.text() + (more.empty() ? "" : more + '\n');
}

std::string slices_section(const LabelSet& labels, const Slices& slices) {
  std::vector<std::string> heading = slices_heading(labels, html_text(slices.by));
  const bool pictures = labels.problem_type != ProblemType::regression;
  if (pictures) heading.emplace_back("0 … 100 %");
  std::string table = "<table>\n" + html_row(heading, "th");
  const std::size_t shown = std::min(slices.slices.size(), kShownSlices);
  for (std::size_t i = 0; i < shown; ++i) {
    const Slice& slice = slices.slices[i];
    std::vector<std::string> row = slice_row(labels, slice);
    row.front() = html_text(row.front());
    if (pictures) row.push_back(interval_picture(slice.evaluation));
    table += html_row(row);
  }
  const std::string more = slices_left_out(slices);
  return "<h2>By " + html_text(slices.by) + "</h2>\n<p>The worst first.</p>\n" +
         html_scroller("measures of each slice", table + "</table>\n") +
         (more.empty() ? "" : "<p>" + more + "</p>\n");
}

}  // namespace headlight
