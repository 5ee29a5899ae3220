#include "report/predictions/prediction_report.h"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace headlight::prediction_report_test {
namespace {

LabelSet labels_of(ProblemType type, std::vector<std::string> names) {
  return {std::move(names), type, true, {}};
}

Prediction prediction_of(std::vector<float> logits, std::vector<float> scores, std::size_t best) {
  Prediction prediction;
  prediction.logits = std::move(logits);
  prediction.scores = std::move(scores);
  prediction.best = best;
  prediction.tokens = 9;
  return prediction;
}

std::string json_of(const LabelSet& labels, const Prediction& prediction,
                    const PredictionView& view) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  write_prediction(json, labels, prediction, view);
  json.end_object();
  return out;
}

TEST_CASE(
    "the fields of a prediction stand in the order of the contract, and only those asked for") {
  const auto single = labels_of(ProblemType::single_label, {"no", "maybe", "yes"});
  const auto multi = labels_of(ProblemType::multi_label, {"no", "maybe", "yes"});
  const auto value = labels_of(ProblemType::regression, {"stars"});
  const auto values = labels_of(ProblemType::regression, {"stars", "length"});
  const Prediction verdict = prediction_of({-1.5F, 0.5F, 2.0F}, {0.125F, 0.25F, 0.625F}, 2);
  Prediction unknown = verdict;
  unknown.no_label = true;
  const Prediction unscored = prediction_of({-1.5F, 0.5F, 2.0F}, {}, 2);
  const Prediction unsure = prediction_of({-1.5F, -2.0F, -3.0F}, {0.25F, 0.125F, 0.0625F}, 0);
  Prediction cut = verdict;
  cut.truncated = 4;
  Prediction in_windows = verdict;
  in_windows.windows = 3;
  Prediction failed;
  failed.error = "not valid UTF-8 at byte 2";
  const PredictionView plain;
  PredictionView all;
  all.probabilities = all.logits = all.tokens = true;
  PredictionView best_two = all;
  best_two.top_k = 2;
  PredictionView likely;
  likely.threshold = 0.25F;

  struct Row {
    const LabelSet* labels;
    const Prediction* prediction;
    const PredictionView* view;
    std::string json;
  };
  const Row rows[] = {
      {&single, &verdict, &plain, R"({"label":"yes","probability":0.625})"},
      {&single, &unknown, &best_two, R"({"label":null,"labels":[],"tokens":9})"},
      {&single, &verdict, &all,
       R"({"label":"yes","probability":0.625,)"
       R"("probabilities":{"no":0.125,"maybe":0.25,"yes":0.625},)"
       R"("logits":{"no":-1.5,"maybe":0.5,"yes":2},"tokens":9})"},
      {&single, &cut, &best_two,
       R"({"label":"yes","probability":0.625,)"
       R"("labels":[{"label":"yes","probability":0.625},{"label":"maybe","probability":0.25}],)"
       R"("probabilities":{"no":0.125,"maybe":0.25,"yes":0.625},)"
       R"("logits":{"no":-1.5,"maybe":0.5,"yes":2},"tokens":9,"truncated":4})"},
      {&single, &verdict, &likely,
       R"({"label":"yes","probability":0.625,)"
       R"("labels":[{"label":"yes","probability":0.625},{"label":"maybe","probability":0.25}]})"},
      {&single, &in_windows, &plain, R"({"label":"yes","probability":0.625,"windows":3})"},
      {&single, &in_windows, &all,
       R"({"label":"yes","probability":0.625,)"
       R"("probabilities":{"no":0.125,"maybe":0.25,"yes":0.625},)"
       R"("logits":{"no":-1.5,"maybe":0.5,"yes":2},"tokens":9,"windows":3})"},
      {&single, &unscored, &plain, R"({"label":"yes"})"},
      {&single, &unscored, &best_two,
       R"({"label":"yes","labels":[{"label":"yes"},{"label":"maybe"}],)"
       R"("logits":{"no":-1.5,"maybe":0.5,"yes":2},"tokens":9})"},
      {&single, &unscored, &likely,  // no probability, so none is below the threshold
       R"({"label":"yes","labels":[{"label":"yes"},{"label":"maybe"},{"label":"no"}]})"},
      {&multi, &verdict, &plain,
       R"({"label":"yes","probability":0.625,"labels":[{"label":"yes","probability":0.625}]})"},
      {&multi, &unsure, &plain, R"({"label":"no","probability":0.25,"labels":[]})"},
      {&single, &failed, &all, R"({"error":"not valid UTF-8 at byte 2"})"},
      {&multi, &failed, &plain, R"({"error":"not valid UTF-8 at byte 2"})"},
  };
  for (const auto& [labels, prediction, view, json] : rows) {
    CHECK(json_of(*labels, *prediction, *view) == json);
  }
  CHECK(json_of(value, prediction_of({3.25F}, {3.25F}, 0), all) ==
        R"({"logits":{"stars":3.25},"value":3.25,"tokens":9})");
  CHECK(json_of(values, prediction_of({3.25F, 7.0F}, {3.25F, 7.0F}, 1), plain) ==
        R"({"values":{"stars":3.25,"length":7}})");
}

TEST_CASE("Parquet has a column for each field of a row, apart from those of single tokens") {
  std::ostringstream text;
  text << std::ifstream(std::string(HEADLIGHT_SOURCE) + "/scripts/cluster/tables.py").rdbuf();
  const std::string program = text.str();
  const std::size_t begin = program.find("VERDICT = {");
  REQUIRE(begin != std::string::npos);
  const std::string columns = program.substr(begin, program.find('}', begin) - begin);
  LabelSet tokens = labels_of(ProblemType::single_label, {"O", "PER"});
  tokens.each_token = true;
  PredictionView all;
  all.probabilities = all.logits = true;
  all.top_k = 2;
  for (const LabelSet& labels : {labels_of(ProblemType::single_label, {"no", "yes"}), tokens,
                                 labels_of(ProblemType::regression, {"stars"}),
                                 labels_of(ProblemType::regression, {"stars", "length"})}) {
    Prediction any;
    any.error = "none";
    for (const auto& column : prediction_columns(labels, any, all, RowFormat::jsonl)) {
      const std::string& field = column.name;
      CAPTURE(field);
      const bool is_of_tokens = field == "token_logits" || field == "ids" || field == "offsets";
      CHECK((columns.find("\n    \"" + field + "\": ") != std::string::npos) != is_of_tokens);
    }
  }
}

TEST_CASE("a line for people has verdict and text, and no power over the terminal") {
  const auto single = labels_of(ProblemType::single_label, {"no", "y\x1Bs"});
  const auto multi = labels_of(ProblemType::multi_label, {"a", "b"});
  const auto value = labels_of(ProblemType::regression, {"stars"});
  const Prediction verdict = prediction_of({-1.5F, 2.0F}, {0.02F, 0.98F}, 1);
  Prediction cut = verdict;
  cut.truncated = 4;
  PredictionView best_two;
  best_two.top_k = 2;
  PredictionView logits;
  logits.logits = true;
  CHECK(prediction_line(single, {"fine\n\x1B[2J", {}, {}}, verdict, {}, false) ==
        R"(y\x1bs 98.0 %   fine\n\x1b[2J)");
  CHECK(prediction_line(single, {"fine\n\x1B[2J", {}, {}}, verdict, logits, false) ==
        R"(y\x1bs 98.0 %   no -1.50  y\x1bs 2.00   fine\n\x1b[2J)");
  CHECK(prediction_line(single, {"a", "b\n", {}}, cut, best_two, true) ==
        "\x1b[1my\\x1bs\x1b[0m 98.0 %, \x1b[1mno\x1b[0m 2.0 %   a ⟶ b\\n   (4 tokens cut)");
  CHECK(prediction_line(single, {"a", {}, {}}, prediction_of({-1.5F, 2.0F}, {}, 1), {}, false) ==
        "y\\x1bs   no -1.50  y\\x1bs 2.00   a");
  const Prediction none = prediction_of({-3, -2}, {0.1F, 0.2F}, 1);
  CHECK(prediction_line(multi, {"a", {}, {}}, none, {}, false) == "(no label)   a");
  CHECK(prediction_line(multi, {"a", {}, {}}, none, logits, false) ==
        "(no label)   a -3.00  b -2.00   a");
  CHECK(prediction_line(value, {"a", {}, {}}, prediction_of({3.25F}, {3.25F}, 0), {}, false) ==
        "stars 3.25   a");
}

TEST_CASE("of many labels a line shows the largest logits, best first, and none unasked") {
  const auto labels = labels_of(ProblemType::single_label, {"a", "b", "c", "d", "e", "f"});
  const auto prediction = prediction_of({1, 6, 2, 5, 3, 4}, {0, 1, 0, 0, 0, 0}, 1);
  PredictionView view;
  CHECK(prediction_line(labels, {"t", {}, {}}, prediction, view, false) == "b 100.0 %   t");
  view.logits = true;
  CHECK(prediction_line(labels, {"t", {}, {}}, prediction, view, false) ==
        "b 100.0 %   b 6.00  d 5.00  f 4.00  e 3.00  c 2.00  …   t");
  view.top_k = 6;
  CHECK(prediction_line(labels, {"t", {}, {}}, prediction, view, false)
            .ends_with("   b 6.00  d 5.00  f 4.00  e 3.00  c 2.00  a 1.00   t"));
}

}  // namespace
}  // namespace headlight::prediction_report_test
