#include "report/evaluation/evaluation_page.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"
#include "inside/attention_statistics.h"
#include "metrics/mistakes.h"
#include "report/evaluation/evaluation_text.h"
#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/formats/svg.h"

namespace headlight {
namespace {

constexpr std::size_t kShownMistakes = 50;

/// A cell with the name of a label, which is broken after underscores if it is long.
std::string name_cell(const std::string& label) {
  std::string name = "<td class=\"name\">";
  for (const char c : html_text(label)) {
    name += c;
    if (c == '_') name += "<wbr>";
  }
  return name + "</td>";
}

std::string page_summary(const Evaluation& evaluation) {
  std::string table = "<table>\n";
  const auto line = [&](const char* name, const std::string& value) {
    table += html_row({name, value});
  };
  line("rows", std::to_string(evaluation.rows));
  if (evaluation.errors > 0) line("errors (not measured)", std::to_string(evaluation.errors));
  const std::string unknown = unknown_labels_text(evaluation);
  if (!unknown.empty()) line("unknown labels", unknown);
  if (evaluation.accuracy) line("accuracy", percent(*evaluation.accuracy));
  if (const auto& interval = evaluation.accuracy_interval) {
    line("95 % CI", percent_range(interval->low, interval->high));
  }
  if (evaluation.subset_accuracy) line("subset accuracy", percent(*evaluation.subset_accuracy));
  for (const auto& [in_text, name, value] : named_measures(evaluation)) {
    if (value) line(name, decimal(*value));
  }
  return table + "</table>\n";
}

std::string labels_table(const LabelSet& labels, const Evaluation& evaluation) {
  if (evaluation.labels.empty()) return "";
  std::string table =
      "<h2>Labels</h2>\n<table>\n" + html_row({"label", "precision", "recall", "F1", "rows"}, "th");
  const auto names = measured_names(labels, evaluation);
  for (std::size_t i = 0; i < evaluation.labels.size(); ++i) {
    const LabelMeasures& label = evaluation.labels[i];
    table += "<tr>" + name_cell(names[i]) +
             html_cells({decimal(label.precision), decimal(label.recall), decimal(label.f1),
                         std::to_string(label.support)}) +
             "</tr>\n";
  }
  return table + "</table>\n";
}

/// The names of the labels beside and above the matrix, as markup.
struct MatrixNames {
  std::vector<std::string> names;
  double width = 0.0;  // of the widest, in pixels
};

MatrixNames matrix_names(const std::vector<std::string>& labels) {
  constexpr std::size_t kColumns = 16;
  constexpr double kLetter = 7.2;  // about the width of one
  MatrixNames names;
  for (const auto& name : shown_names(labels, kColumns)) {
    names.width = std::max(names.width, kLetter * static_cast<double>(width_of(name)));
    names.names.push_back(html_text(name));
  }
  return names;
}

/// The shade of a cell is its share of the rows with its gold label.
std::string matrix(const std::vector<std::string>& labels, const ConfusionMatrix& confusion) {
  // The widest matrix fits a desktop window.
  const double cell = std::clamp(680.0 / static_cast<double>(confusion.labels()), 34.0, 48.0);
  const MatrixNames shown = matrix_names(labels);
  const double left = shown.width + 12.0;
  const double top = 0.71 * shown.width + 20.0;  // for names at 45 degrees
  const auto counts = confusion.counts();
  std::string cells;
  for (std::size_t gold = 0; gold < confusion.gold_labels(); ++gold) {
    const double y = top + cell * static_cast<double>(gold);
    const double x_of_gold = left + cell * (static_cast<double>(gold) + 0.5);
    cells += svg_text(left - 8.0, y + cell / 2 + 4.0, "text-anchor=\"end\"", shown.names[gold]);
    if (gold < confusion.labels()) {
      cells +=
          svg_text(x_of_gold, top - 8.0,
                   "transform=\"rotate(-45 " + pixels(x_of_gold) + " " + pixels(top - 8.0) + ")\"",
                   shown.names[gold]);
    }
    for (std::size_t predicted = 0; predicted < confusion.labels(); ++predicted) {
      const double x = left + cell * static_cast<double>(predicted);
      const std::size_t rows = confusion.at(gold, predicted);
      const double all = static_cast<double>(std::max<std::size_t>(counts[gold].support(), 1));
      const double share = static_cast<double>(rows) / all;
      cells +=
          svg_box({x, y, cell, cell},
                  R"(class="cell mark" fill-opacity=")" + formatted("%.3f", 0.75 * share) + R"(")",
                  "gold " + html_text(labels[gold]) + ", predicted " +
                      html_text(labels[predicted]) + ": " + std::to_string(rows));
      cells += svg_text(x + cell / 2, y + cell / 2 + 4.0,
                        R"(text-anchor="middle" pointer-events="none")", std::to_string(rows));
    }
  }
  const double width = cell * static_cast<double>(confusion.labels());
  const double height = cell * static_cast<double>(confusion.gold_labels());
  return html_picture(left + width + top, top + height + 10.0, "confusion matrix", cells);
}

std::string mistakes_table(const std::vector<std::string>& labels,
                           const ConfusionMatrix& confusion) {
  std::string table = "<table class=\"pairs\">\n" + html_row({"gold", "predicted", "rows"}, "th");
  for (const auto& [gold, predicted, rows] : worst_mistakes(confusion, kShownMistakes)) {
    table += "<tr>" + name_cell(labels[gold]) + name_cell(labels[predicted]) +
             html_cells({std::to_string(rows)}) + "</tr>\n";
  }
  return table + "</table>\n";
}

std::string confusion_section(const LabelSet& labels, const Evaluation& evaluation) {
  if (!evaluation.confusion) return "";
  const ConfusionMatrix& confusion = *evaluation.confusion;
  const auto names = measured_names(labels, evaluation);
  if (names.size() <= kLabelsOfAMatrix) {
    return "<h2>Confusion</h2>\n<p>Rows are gold labels, columns are predicted labels.</p>\n" +
           matrix(names, confusion);
  }
  return "<h2>Confusion</h2>\n<p>The most frequent wrong predictions.</p>\n" +
         mistakes_table(names, confusion);
}

std::string reliability_section(const Evaluation& evaluation) {
  if (evaluation.calibration.empty()) return "";
  constexpr double kSize = 264.0;
  constexpr double kLeft = 54.0;
  constexpr double kTop = 10.0;
  std::string content;
  for (const CalibrationBin& bin : evaluation.calibration) {
    if (bin.rows == 0) continue;
    const double height = kSize * bin.accuracy;
    content += svg_box(
        {kLeft + kSize * bin.low, kTop + kSize - height, kSize * (bin.high - bin.low), height},
        R"(class="cell mark" fill-opacity="0.6")",
        std::to_string(bin.rows) + " rows: accuracy " + percent(bin.accuracy) +
            ", mean confidence " + percent(bin.confidence));
  }
  content += R"(<path class="line" d="M )" + pixels(kLeft) + " " + pixels(kTop) + " v " +
             pixels(kSize) + " h " + pixels(kSize) + "\"/>\n<path class=\"diagonal\" d=\"M " +
             pixels(kLeft) + " " + pixels(kTop + kSize) + " l " + pixels(kSize) + " " +
             pixels(-kSize) + "\"/>\n";
  for (const double share : {0.0, 0.5, 1.0}) {
    content += svg_text(kLeft + kSize * share, kTop + kSize + 18.0, "text-anchor=\"middle\"",
                        formatted("%.1f", share));
    content += svg_text(kLeft - 8.0, kTop + kSize * (1.0 - share) + 4.0, "text-anchor=\"end\"",
                        formatted("%.1f", share));
  }
  content +=
      svg_text(kLeft + kSize / 2, kTop + kSize + 36.0, "text-anchor=\"middle\"", "confidence");
  content += svg_text(
      20.0, kTop + kSize / 2,
      R"(text-anchor="middle" transform="rotate(-90 20 )" + pixels(kTop + kSize / 2) + ")\"",
      "accuracy");
  return "<h2>Reliability</h2>\n<p>A bar that ends on the dashed line is well calibrated: its "
         "accuracy equals its confidence.</p>\n" +
         svg_figure(kLeft + kSize + 30.0, kTop + kSize + 50.0, "reliability diagram", content);
}

std::string coverage_section(const Evaluation& evaluation) {
  if (evaluation.coverage.empty()) return "";
  std::string table = "<h2>Coverage</h2>\n<table>\n" +
                      html_row({"confidence ≥", "rows", "coverage", "accuracy"}, "th");
  for (const CoveragePoint& point : evaluation.coverage) {
    table += html_row({percent(point.threshold), std::to_string(point.rows),
                       percent(point.coverage), point.rows == 0 ? "" : percent(point.accuracy)});
  }
  return table + "</table>\n";
}

std::string attention_section(const std::vector<HeadStatistics>& heads) {
  if (heads.empty()) return "";
  std::vector<std::string> heading = {"layer", "head"};
  for (const auto& field : kStatisticsFields) heading.emplace_back(field.name);
  std::string table = "<table>\n" + html_row(heading, "th");
  for (const HeadStatistics& head : heads) {
    std::vector<std::string> row = {std::to_string(head.layer), std::to_string(head.head)};
    for (const auto& [name, value] : kStatisticsFields) row.push_back(decimal(head.*value));
    table += html_row(row);
  }
  return "<h2>Attention</h2>\n" + html_scroller("statistics of each head", table + "</table>\n");
}

}  // namespace

std::string evaluation_page(const std::string& title, const LabelSet& labels,
                            const Evaluation& evaluation, const std::string& sections) {
  std::string body = page_summary(evaluation) + sections + labels_table(labels, evaluation) +
                     confusion_section(labels, evaluation) + reliability_section(evaluation) +
                     coverage_section(evaluation) + attention_section(evaluation.attention);
  for (const auto& note : evaluation.notes) body += "<p>" + html_text(note) + "</p>\n";
  return html_page(title, body);
}

}  // namespace headlight
