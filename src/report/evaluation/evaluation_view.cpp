#include "report/evaluation/evaluation_view.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"
#include "report/attention/head_statistics.h"
#include "report/evaluation/ablation_report.h"
#include "report/evaluation/cascade_report.h"
#include "report/evaluation/comparison_report.h"
#include "report/evaluation/slices_report.h"
#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/formats/svg.h"
#include "report/formats/text_table.h"

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

/// The numbers of rows, and all measures.
Facts evaluation_facts(const Evaluation& evaluation) {
  Facts facts = {{"rows", std::to_string(evaluation.rows)}};
  if (evaluation.errors > 0) {
    facts.emplace_back("errors", std::to_string(evaluation.errors) + ", not measured");
  }
  if (evaluation.unknown_label_rows > 0) {
    facts.emplace_back("unknown labels", unknown_labels_text(evaluation));
  }
  if (evaluation.read.unknown > 0) {
    facts.emplace_back("unknown tokens", std::to_string(evaluation.read.unknown) + " of " +
                                             std::to_string(evaluation.read.own));
  }
  for (const Measure& measure : evaluation.measures) {
    facts.emplace_back(measure.name, measure_text(measure));
  }
  for (const LabelsAt& at : evaluation.at) {
    facts.emplace_back("precision, recall at " + std::to_string(at.k),
                       percent(at.precision) + ", " + percent(at.recall));
  }
  return facts;
}

/// One row per label. `names` are those of `evaluation.labels` as they are shown.
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

constexpr std::size_t kShownMistakes = 50;
constexpr std::size_t kFirstMistakes = 10;  // the others are folded
constexpr std::size_t kOpenLabels = 10;     // a table of more is folded
constexpr std::size_t kRowsOfAPage = 1000;

/// Sorts a table by the column whose name is clicked.
constexpr const char* kSorter = R"(<script>
for (const table of document.querySelectorAll(".sorted")) {
  const [head, ...rows] = table.rows;
  for (const cell of head.cells) {
    const button = document.createElement("button");
    button.append(cell.textContent);
    cell.replaceChildren(button);
    button.onclick = () => {
      const sign = cell.ariaSort === "descending" ? 1 : -1;
      for (const other of head.cells) other.ariaSort = null;
      cell.ariaSort = sign < 0 ? "descending" : "ascending";
      const value = (row) => row.cells[cell.cellIndex].textContent;
      rows.sort((a, b) => sign * value(a).localeCompare(value(b), "en", { numeric: true }));
      head.parentNode.append(...rows);
    };
  }
}
</script>
)";

std::string folded(const std::string& title, const std::string& content) {
  return "<details>\n<summary>" + title + "</summary>\n" + content + "</details>\n";
}

/// The place of a cell's rows on the page.
std::string anchor_of(std::size_t gold, std::size_t predicted) {
  return "cell-" + std::to_string(gold) + '-' + std::to_string(predicted);
}

std::string facts_table(const Facts& facts) {
  std::string rows;
  for (const auto& [name, what] : facts) rows += html_row({name, what});
  return "<table>\n" + rows + "</table>\n";
}

/// The shade of a cell is its share of the rows with its gold label.
std::string matrix(const std::vector<std::string>& labels, const ConfusionMatrix& confusion) {
  // The widest matrix fits a desktop window.
  const double cell = std::clamp(680.0 / static_cast<double>(confusion.labels()), 34.0, 48.0);
  std::vector<std::string> shown = shown_names(labels, 16);
  double widest = 0.0;  // of the names in pixels; a letter has about 7.2
  for (std::string& name : shown) {
    widest = std::max(widest, 7.2 * static_cast<double>(width_of(name)));
    name = html_text(name);
  }
  const double left = widest + 12.0;
  const double top = 0.71 * widest + 20.0;  // for names at 45 degrees
  const auto counts = confusion.counts();
  std::string cells;
  for (std::size_t gold = 0; gold < confusion.gold_labels(); ++gold) {
    const double y = top + cell * static_cast<double>(gold);
    const double x_of_gold = left + cell * (static_cast<double>(gold) + 0.5);
    cells += svg_text(left - 8.0, y + cell / 2 + 4.0, "text-anchor=\"end\"", shown[gold]);
    if (gold < confusion.labels()) {
      cells +=
          svg_text(x_of_gold, top - 8.0,
                   "transform=\"rotate(-45 " + pixels(x_of_gold) + " " + pixels(top - 8.0) + ")\"",
                   shown[gold]);
    }
    for (std::size_t predicted = 0; predicted < confusion.labels(); ++predicted) {
      const double x = left + cell * static_cast<double>(predicted);
      const std::size_t rows = confusion.at(gold, predicted);
      const double all = static_cast<double>(std::max<std::size_t>(counts[gold].support(), 1));
      const double share = static_cast<double>(rows) / all;
      if (rows > 0) cells += "<a href=\"#" + anchor_of(gold, predicted) + "\">";
      cells +=
          svg_box({x, y, cell, cell},
                  R"(class="cell mark" fill-opacity=")" + formatted("%.3f", 0.75 * share) + R"(")",
                  "gold " + html_text(labels[gold]) + ", predicted " +
                      html_text(labels[predicted]) + ": " + std::to_string(rows));
      cells += svg_text(x + cell / 2, y + cell / 2 + 4.0,
                        R"(text-anchor="middle" pointer-events="none")", std::to_string(rows));
      if (rows > 0) cells += "</a>";
    }
  }
  const double width = cell * static_cast<double>(confusion.labels());
  const double height = cell * static_cast<double>(confusion.gold_labels());
  return html_picture(left + width + top, top + height + 10.0, "confusion matrix", cells);
}

/// The rows of each cell: wrong ones first, those with the most rows first.
std::string rows_section(const std::vector<std::string>& names, const ConfusionMatrix& confusion,
                         const CellRows& rows) {
  std::vector<Mistake> cells = confusion.worst_mistakes(SIZE_MAX);
  for (std::size_t i = 0; i < confusion.labels(); ++i) cells.push_back({i, i, confusion.at(i, i)});
  std::string section = "<h2>Rows</h2>\n<p>The " + std::to_string(CellRows::kRows) +
                        " surest rows of each cell, wrong ones first; " +
                        std::to_string(CellRows::kLetters) + " letters of each, and " +
                        grouped(kRowsOfAPage) + " rows at most.</p>\n";
  std::size_t shown = 0;
  for (const auto& [gold, predicted, count] : cells) {
    const auto& some = rows.at(names[gold], names[predicted]);
    if (some.empty() || shown + some.size() > kRowsOfAPage) continue;
    shown += some.size();
    TextTable table({"sure", "id", "text"}, 0);
    for (const SureRow& row : some) table.add({percent(row.confidence), row.id, row.text});
    section += folded(
        html_text(names[gold]) +
            (gold == predicted ? ", correct" : " predicted as " + html_text(names[predicted])) +
            ": " + counted(count, "row"),
        "<div id=\"" + anchor_of(gold, predicted) + "\">" +
            html_table(table, 0, "<table class=\"rows\">") + "</div>\n");
  }
  return section;
}

std::string confusion_section(const std::vector<std::string>& names,
                              const ConfusionMatrix& confusion) {
  if (names.size() <= kLabelsOfAMatrix) {
    return "<h2>Confusion</h2>\n<p>Rows are gold labels, columns are predicted labels. "
           "A cell leads to its rows.</p>\n" +
           matrix(names, confusion);
  }
  const auto table = [&](std::size_t most) {
    return html_table(mistakes_table(confusion, names, most), 2, "<table class=\"pairs\">");
  };
  return "<h2>Confusion</h2>\n<p>The most frequent wrong predictions.</p>\n" +
         table(kFirstMistakes) + folded("More of them", table(kShownMistakes));
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

}  // namespace

std::string results_text(const Measured& results) {
  std::string text = evaluation_text(results.labels, results.evaluation);
  if (results.slices) text += slices_text(results.labels, *results.slices);
  if (results.comparison) text += comparison_text(results.evaluation, *results.comparison);
  if (results.cascade) text += cascade_text(*results.cascade);
  if (results.attribution) return text + ablation_text(*results.attribution);
  if (results.ablation) text += ablation_text(*results.ablation);
  return text;
}

std::string entity_evaluation_text(const EntityEvaluation& evaluation) {
  const std::string text = facts_text(evaluation_facts(evaluation.measured));
  if (evaluation.names.empty()) return text + "no entities, neither correct nor found\n";
  TextTable table({"entity", "precision", "recall", "F1", "correct"}, 1);
  const auto names = shown_names(evaluation.names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const LabelMeasures& label = evaluation.measured.labels[i];
    table.add({names[i], decimal(label.precision), decimal(label.recall), decimal(label.f1),
               std::to_string(label.support)});
  }
  return text + table.text();
}

std::string measure_text(const Measure& measure) {
  if (measure.unit == Unit::number) return decimal(measure.value);
  if (measure.unit == Unit::count) return fixed(measure.value, 0);
  const auto& interval = measure.interval;
  return percent(measure.value) +
         (interval ? ", 95 % CI " + percent_range(interval->low, interval->high) : "");
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

std::string results_page(const std::string& title, const Measured& results) {
  const Evaluation& evaluation = results.evaluation;
  const auto names = measured_names(results.labels, evaluation);
  std::string body = facts_table(evaluation_facts(evaluation));
  if (results.comparison) body += comparison_section(evaluation, *results.comparison);
  if (results.slices) body += slices_section(results.labels, *results.slices);
  if (results.attribution) body += ablation_section(*results.attribution);
  if (results.ablation) body += ablation_section(*results.ablation);
  if (!evaluation.labels.empty()) {
    const std::string table =
        html_table(labels_table(results.labels, evaluation, names), 1, "<table class=\"sorted\">");
    body += "<h2>Labels</h2>\n" +
            (names.size() <= kOpenLabels
                 ? table
                 : folded(counted(names.size(), "label") + "; click a column to sort", table));
  }
  if (evaluation.confusion) body += confusion_section(names, *evaluation.confusion);
  body += reliability_section(evaluation);
  if (!evaluation.coverage.empty()) {
    body += "<h2>Coverage</h2>\n" +
            folded("Rows and accuracy from a confidence on",
                   html_table(coverage_table(different_points(evaluation.coverage))));
  }
  if (!evaluation.attention.empty()) {
    const TextTable statistics = head_statistics_table(evaluation.attention, 4);
    body +=
        "<h2>Attention</h2>\n" + html_scroller("statistics of each head", html_table(statistics));
  }
  for (const auto& note : evaluation.notes) body += "<p>" + html_text(note) + "</p>\n";
  if (evaluation.confusion) body += rows_section(names, *evaluation.confusion, results.cell_rows);
  return html_page(title, body + kSorter);
}

}  // namespace headlight
