#include "report/evaluation/evaluation_report.h"

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "report/evaluation/evaluation_view.h"
#include "report/formats/html.h"

namespace headlight::evaluation_report_test {
namespace {

/// U+202E turns the direction of what follows.
const std::string kOverride = {'\xE2', '\x80', '\xAE'};

const LabelSet kTwo = {{"no", "yes"}, ProblemType::single_label, true, {}};

Evaluation two_label_evaluation() {
  Evaluation evaluation;
  evaluation.rows = 5;
  evaluation.errors = 1;
  evaluation.measures = {{"accuracy", "accuracy", 0.75, Interval{0.25, 1.0}, Unit::share}};
  add_f1({0.5, 0.75, 0.625}, evaluation.measures);
  evaluation.measures.push_back({"log_loss", "log loss", 0.25, Interval{0.125, 0.375}});
  evaluation.measures.push_back({"auc", "area under ROC", 0.875});
  evaluation.labels = {{0.5, 1.0, 0.75, 2, 4}, {0.0, 0.0, 0.0, 2, 0}};
  evaluation.confusion.emplace(2);
  for (const auto& [gold, predicted] :
       {std::pair<std::size_t, std::size_t>{0, 0}, {0, 0}, {1, 0}}) {
    evaluation.confusion->add(gold, predicted);
  }
  evaluation.calibration = {{0.0, 0.5, 0, 0.0, 0.0}, {0.5, 1.0, 4, 0.875, 0.75}};
  evaluation.coverage = {{0.0, 4, 1.0, 0.75}, {0.5, 4, 1.0, 0.75}, {0.99, 0, 0.0, 0.0}};
  evaluation.notes = {"label never predicted; precision set to 0: yes"};
  return evaluation;
}

std::string json_of(const LabelSet& labels, const Evaluation& evaluation) {
  std::string out;
  JsonWriter json(out);
  write_evaluation(json, labels, evaluation);
  return out;
}

std::string page_of(const std::string& title, const LabelSet& labels,
                    const Evaluation& evaluation) {
  Measured results;
  results.labels = labels;
  results.evaluation = evaluation;
  return results_page(title, results);
}

TEST_CASE("the fields stand in the order of the contract, and only those that apply") {
  CHECK(json_of(kTwo, two_label_evaluation()) ==
        R"({"rows":5,"errors":1,"accuracy":0.75,"accuracy_interval":[0.25,1],"macro_f1":0.5,)"
        R"("micro_f1":0.75,"weighted_f1":0.625,"log_loss":0.25,"log_loss_interval":[0.125,0.375],)"
        R"("auc":0.875,"labels":[)"
        R"({"label":"no","precision":0.5,"recall":1,"f1":0.75,"support":2},)"
        R"({"label":"yes","precision":0,"recall":0,"f1":0,"support":2}],)"
        R"("confusion":[[2,0],[1,0]],"calibration":[{"low":0,"high":0.5,"rows":0},)"
        R"({"low":0.5,"high":1,"rows":4,"confidence":0.875,"accuracy":0.75}],)"
        R"("coverage":[{"threshold":0,"rows":4,"coverage":1,"accuracy":0.75},)"
        R"({"threshold":0.5,"rows":4,"coverage":1,"accuracy":0.75},)"
        R"({"threshold":0.99,"rows":0,"coverage":0}],)"
        R"("notes":["label never predicted; precision set to 0: yes"]})");
  CHECK(json_of(kTwo, {}) == R"({"rows":0,"errors":0})");
}

TEST_CASE("values, heads and what was fitted have their fields") {
  Evaluation value;
  value.rows = 2;
  value.measures = {{"mse", "mean squared error", 0.5}, {"pearson", "Pearson correlation", 1.0}};
  value.attention = {
      {0, 1, 0.5, 0.25, 0.75, 0.125, 2.5, 0.1, 0.2, 0.3, 0.4, 0.3, 0.1, std::nan(""), 1.5}};
  CHECK(json_of({{"stars"}, ProblemType::regression, true, {}}, value) ==
        R"({"rows":2,"errors":0,"mse":0.5,"pearson":1,"attention":)"
        R"([{"layer":0,"head":1,"mean":0.5,"std":0.25,"max":0.75,"entropy":0.125,)"
        R"("distance":2.5,"self":0.1,"previous":0.2,"next":0.3,"special":0.4,"first":0.3,)"
        R"("last":0.1,"separator":null,"sink_value_norm":1.5}]})");
  const LabelSet multi = {{"x", "y"}, ProblemType::multi_label, true, {}};
  Evaluation flags;
  flags.measures = {{"subset_accuracy", "subset accuracy", 0.5, {}, Unit::share},
                    {"hamming_loss", "Hamming loss", 0.25},
                    {"auc", "area under ROC", 0.5}};
  flags.labels = {{1, 1, 1, 1, 1}};
  flags.temperature = TemperatureFit{2.0, 0.5, 0.25};
  flags.thresholds = {ThresholdFit{0.3F, 1.0}, std::nullopt};
  CHECK(json_of(multi, flags) ==
        R"({"rows":0,"errors":0,"auc":0.5,"labels":[{"label":"x","precision":1,"recall":1,"f1":1,)"
        R"("support":1,"threshold":0.5}],"subset_accuracy":0.5,"hamming_loss":0.25,)"
        R"("fitted":{"temperature":2,"log_loss_before":0.5,"log_loss_after":0.25,)"
        R"("thresholds":{"x":0.3}}})");
}

TEST_CASE("people read aligned tables") {
  CHECK(evaluation_text(kTwo, two_label_evaluation()) ==
        "rows                    5\n"
        "errors                  1, not measured\n"
        "accuracy                75.0 %, 95 % CI 25.0–100.0 %\n"
        "macro F1                0.5000\n"
        "micro F1                0.7500\n"
        "weighted F1             0.6250\n"
        "log loss                0.2500\n"
        "area under ROC          0.8750\n"
        "\n"
        "label  precision  recall      F1  rows\n"
        "no        0.5000  1.0000  0.7500     2\n"
        "yes       0.0000  0.0000  0.0000     2\n"
        "\n"
        "gold \\ predicted  no  yes\n"
        "no                 2    0\n"
        "yes                1    0\n"
        "\n"
        "confidence ≥  rows  coverage  accuracy\n"
        "       0.0 %     4   100.0 %    75.0 %\n"
        "      99.0 %     0     0.0 %         -\n"
        "\n"
        "label never predicted; precision set to 0: yes\n");
}

TEST_CASE("of many labels people see the pairs that are taken for each other most often") {
  LabelSet labels;
  for (std::size_t i = 0; i < kLabelsOfAMatrix + 1; ++i) {
    labels.names.push_back("label" + std::to_string(i));
  }
  Evaluation evaluation;
  evaluation.confusion.emplace(labels.names.size());
  for (int i = 0; i < 3; ++i) evaluation.confusion->add(2, 7);
  for (int i = 0; i < 5; ++i) evaluation.confusion->add(9, 1);
  for (int i = 0; i < 9; ++i) evaluation.confusion->add(4, 4);
  CHECK(evaluation_text(labels, evaluation)
            .find("\ngold    predicted  rows\n"
                  "label9  label1        5\n"
                  "label2  label7        3\n") != std::string::npos);
  const std::string page = page_of("t", labels, evaluation);
  CHECK(page.find("<td class=\"name\">label9</td><td class=\"name\">label1</td><td>5</td>") !=
        std::string::npos);
  CHECK(page.find("<svg") == std::string::npos);
}

TEST_CASE("labels have no power over a terminal or a page") {
  const LabelSet evil = {
      {"</script><b>&\"'", "\x1B[2J" + kOverride}, ProblemType::single_label, true, {}};
  Evaluation evaluation = two_label_evaluation();
  const std::string text = evaluation_text(evil, evaluation);
  CHECK(text.find('\x1B') == std::string::npos);
  CHECK(text.find("\\x1b[2J\\u202e") != std::string::npos);
  const std::string page = page_of("<i>", evil, evaluation);
  for (const char* raw : {"<b>", "<i>", "\x1B", kOverride.c_str(), "</script>&", "http"}) {
    INFO(raw);
    CHECK(page.find(raw) == std::string::npos);
  }
  CHECK(page.find("<script") == page.rfind("<script"));  // that of the sorted table
  CHECK(page.find("&lt;/script&gt;&lt;b&gt;&amp;&quot;&#39;") != std::string::npos);
  CHECK(html_text("a\nb") == "a\\nb");
}

TEST_CASE("a page has the matrix, the reliability diagram, and both colour schemes") {
  const std::string page = page_of("toy on rows", kTwo, two_label_evaluation());
  for (const char* part :
       {"<title>toy on rows</title>", "aria-label=\"confusion matrix\"",
        "aria-label=\"reliability diagram\"", "prefers-color-scheme: dark",
        "<title>gold no, predicted no: 2</title>", "<title>gold yes, predicted no: 1</title>",
        "<title>4 rows: accuracy 75.0 %, mean confidence 87.5 %</title>"}) {
    INFO(part);
    CHECK(page.find(part) != std::string::npos);
  }
}

TEST_CASE("a wrong row has its id as spelled, what is right, and the verdict") {
  Prediction prediction;
  prediction.logits = {2.0F, 1.0F};
  prediction.scores = {0.75F, 0.25F};
  Row row;
  row.id.text = "1.0";
  row.input = {"a", "b", {}};
  row.label = "yes";
  const auto line = [&](const LabelSet& labels, const Gold& gold) {
    std::string out;
    JsonWriter json(out);
    write_wrong_row(json, labels, gold, row, prediction);
    return out;
  };
  CHECK(line(kTwo, {{1}, 0}) ==
        R"({"id":1.0,"text":"a","pair":"b","gold":"yes","label":"no","probability":0.75})");
  row.line = 9;
  CHECK(
      line({{"x", "y"}, ProblemType::multi_label, true, {}}, {{0, 1}, 0}) ==
      R"({"id":1.0,"line":9,"text":"a","pair":"b","gold":["x","y"],"label":"x","probability":0.75,)"
      R"("labels":[{"label":"x","probability":0.75}]})");
  row.line = 0;
  CHECK(line({{"x", "y"}, ProblemType::multi_label, true, {0.8F, 0.2F}}, {{}, 0}) ==
        R"({"id":1.0,"text":"a","pair":"b","gold":[],"label":"x","probability":0.75,)"
        R"("labels":[{"label":"y","probability":0.25}]})");
}

}  // namespace
}  // namespace headlight::evaluation_report_test
