// headlight evaluate: labelled rows in, measures out, and what they teach stored and found again.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::evaluate_test {
namespace {

const std::string kRows =
    "{\"id\": \"a\", \"text\": \"good\", \"label\": \"positive\"}\n"
    "{\"id\": \"b\", \"text\": \"bad\", \"label\": \"negative\"}\n"
    "{\"id\": \"c\", \"text\": \"good plot\", \"label\": \"negative\"}\n"
    "{\"id\": \"d\", \"text\": \"good\", \"label\": \"negative\"}\n"
    "{\"id\": \"e\", \"text\": \"good\", \"label\": \"positive\"}\n"
    "{\"id\": \"f\", \"text\": \"bad\", \"label\": \"negative\"}\n";

const std::vector<std::string> kEvaluate = {"evaluate", "rows.jsonl", "-m", "toy"};

std::vector<std::string> with(std::vector<std::string> arguments,
                              const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::string any_number_of_labels(const ToyPlace& place) {
  place.add("multi",
            [](OrderedJson& config) { config["problem_type"] = "multi_label_classification"; });
  place.files().write("multi.jsonl",
                      "{\"text\": \"good\", \"label\": [\"positive\"]}\n"
                      "{\"text\": \"bad\", \"label\": \"negative\"}\n"
                      "{\"text\": \"movie\", \"label\": \"negative|positive\"}\n"
                      "{\"text\": \"good movie\", \"label\": []}\n");
  return "multi.jsonl";
}

TEST_CASE("labels are matched by name, and the fields are those of the contract") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  const OrderedJson found = place.json(with(kEvaluate, {"--format", "json"}));
  std::vector<std::string> names;
  for (const auto& [name, value] : found.items()) names.push_back(name);
  CHECK(names == std::vector<std::string>{"rows", "errors", "accuracy", "accuracy_interval",
                                          "macro_f1", "micro_f1", "weighted_f1", "log_loss",
                                          "brier", "ece", "auc", "labels", "confusion",
                                          "calibration", "coverage", "provenance"});
  CHECK(found["rows"] == 6);
  CHECK(found["accuracy"] == 4.0 / 6.0);
  CHECK(found["confusion"] == OrderedJson::parse("[[2,2],[0,2]]"));
  CHECK(found["labels"][0]["recall"] == 0.5);
  CHECK(found["calibration"].size() == 15);
}

TEST_CASE("two correct rows of two are an accuracy of 34.2 % to 100 %") {
  const ToyPlace place;
  place.files().write("two.jsonl",
                      "{\"text\": \"good\", \"label\": \"positive\"}\n"
                      "{\"text\": \"bad\", \"label\": \"negative\"}\n");
  const std::string text =
      place.output({"evaluate", "two.jsonl", "-m", "toy", "--html", "two.html"});
  CHECK(text.find("accuracy                100.0 %, 95 % CI 34.2–100.0 %\n") != std::string::npos);
  CHECK(place.files().read("two.html").find(", 95 % CI 34.2–100.0 %</td>") != std::string::npos);
  const OrderedJson interval =
      place.json({"evaluate", "two.jsonl", "-m", "toy", "--format", "json"})["accuracy_interval"];
  // 2 / (2 + z²), with z = 1.959964
  CHECK(std::abs(interval[0].get<double>() - 2.0 / (2.0 + 1.959964 * 1.959964)) < 1e-6);
  CHECK(interval[1] == 1.0);
}

TEST_CASE("the measures are the same whatever the threads, traced or not") {
  const ToyPlace place;
  std::string rows;
  for (int i = 0; i < 40; ++i) rows += kRows;
  place.files().write("rows.jsonl", rows);
  const std::string one =
      place.output(with(kEvaluate, {"--format", "json", "--threads", "1", "--attention-stats"}));
  for (const std::string threads : {"2", "5"}) {
    CHECK(place.output(with(
              kEvaluate, {"--format", "json", "--threads", threads, "--attention-stats"})) == one);
  }
  const OrderedJson traced = OrderedJson::parse(one);
  const OrderedJson plain = place.json(with(kEvaluate, {"--format", "json"}));
  CHECK(traced["log_loss"] == plain["log_loss"]);
  CHECK(traced["confusion"] == plain["confusion"]);
  REQUIRE(traced["attention"].size() > 0);
  for (const auto& head : traced["attention"]) {
    CHECK(head["max"] >= head["mean"]);
    CHECK(head["first"] > 0.0);
    CHECK(head.contains("sink_value_norm"));
  }
}

TEST_CASE("a row without a usable label is an error") {
  struct Line {
    std::string row;
    std::string reason;
  };
  const Line lines[] = {
      {R"({"text": "good", "label": "|"})", "row 6 (line 7): has no label"},
      {R"({"text": "good", "label": []})", "row 6 (line 7): has no label"},
      {R"({"text": "good"})", "row 6 (line 7): has no label"},
      {"nope", "row 6 (line 7)|not valid JSON"},
  };
  const ToyPlace place;
  for (const auto& [row, reason] : lines) {
    INFO(row);
    place.files().write("rows.jsonl", kRows + row + "\n");
    check_last_reason(place.run(kEvaluate), 3, "1 of 7 rows|" + reason);
    const Outcome allowed = place.run(with(kEvaluate, {"--format", "json", "--row-errors-ok"}));
    CHECK(allowed.status == 0);
    CHECK(OrderedJson::parse(allowed.out)["errors"] == 1);
    CHECK(OrderedJson::parse(allowed.out)["accuracy"] == 4.0 / 6.0);
  }
}

TEST_CASE("a missing text is measured as an empty one, unless --missing makes it an error") {
  const ToyPlace place;
  place.add("pieces", use_word_pieces);
  place.files().write("rows.csv", "text,label\ngood,positive\n,positive\n\"\",negative\n");
  place.files().write("rows.jsonl", R"({"text":"good","label":"positive"}
{"text":null,"label":"positive"}
{"label":"negative"}
)");
  for (const std::string file : {"rows.csv", "rows.jsonl"}) {
    const Outcome outcome = place.run({"evaluate", file, "-m", "pieces", "--format", "json"});
    CHECK(outcome.status == 0);
    CHECK(OrderedJson::parse(outcome.out)["errors"] == 0);
    CHECK(outcome.err.find("2 empty texts scored") != std::string::npos);
    check_last_reason(place.run({"evaluate", file, "-m", "pieces", "--missing", "error"}), 3,
                      "2 of 3 rows could not be scored; first error: row 1|the text is missing");
  }
}

TEST_CASE("--label chooses the field, and text lines have none") {
  const ToyPlace place;
  place.files().write("rows.jsonl", R"({"text": "good", "gold": "positive", "label": "x"})");
  CHECK(place.json(with(kEvaluate, {"--label", "gold", "--format", "json"}))["accuracy"] == 1.0);
  check_refusal(place.run({"evaluate", "rows.txt", "-m", "toy"}), 2, "no labels|--input-format");
  check_refusal(place.run({"evaluate", "-", "-m", "toy", "--label", "x"}), 2, "--label|jsonl");
}

TEST_CASE("--errors has the wrong rows, the surest first, those alike in order") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  place.output(with(kEvaluate, {"--errors", "wrong.jsonl"}));
  const auto lines = lines_of(place.files().read("wrong.jsonl"));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].starts_with(
      R"({"id":"d","line":4,"text":"good","gold":"negative","label":"positive",)"));
  CHECK(lines[1].starts_with(R"({"id":"c",)"));
  check_refusal(place.run(with(kEvaluate, {"--errors", "wrong.jsonl"})), 1, "wrong.jsonl|exists");
}

TEST_CASE("--html writes a page that stands alone") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  place.output(with(kEvaluate, {"--html", "page.html"}));
  const std::string page = place.files().read("page.html");
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(page.find("<title>toy on rows.jsonl</title>") != std::string::npos);
  CHECK(page.find("reliability diagram") != std::string::npos);
  CHECK(page.find("http") == std::string::npos);
  CHECK(is_harmless(page));
}

TEST_CASE("a fitted temperature is stored, shown, and changes probabilities alone") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  const OrderedJson before = place.json({"classify", "-m", "toy", "--format", "json", "good"})[0];
  const OrderedJson fitted =
      place.json(with(kEvaluate, {"--fit-temperature", "--format", "json"}))["fitted"];
  const double temperature = fitted["temperature"];
  CHECK(temperature > 1.0);
  CHECK(fitted["log_loss_after"] < fitted["log_loss_before"]);
  CHECK(OrderedJson::parse(place.files().read("toy/calibration.json")) ==
        OrderedJson({{"temperature", temperature}}));
  CHECK_FALSE(place.files().has("toy/calibration.json.partial"));
  const OrderedJson shown = place.json({"inspect", "-m", "toy", "--format", "json"})["calibration"];
  CHECK(shown["file"] == "toy/calibration.json");
  CHECK(shown["temperature"] == temperature);
  CHECK(place.output({"inspect", "-m", "toy"}).find("calibration") != std::string::npos);

  const OrderedJson after = place.json({"classify", "-m", "toy", "--format", "json", "good"})[0];
  CHECK(after["logits"] == before["logits"]);
  const double margin = after["logits"]["positive"].get<double>() * 2.0;
  CHECK(std::abs(after["probability"].get<double>() -
                 1.0 / (1.0 + std::exp(-margin / temperature))) < 1e-6);
  CHECK(place.json({"batch", "-", "-m", "toy"}, "good\n")["probability"] == after["probability"]);
  const double calibrated = place.json(with(kEvaluate, {"--format", "json"}))["log_loss"];
  CHECK(std::abs(calibrated - fitted["log_loss_after"].get<double>()) < 1e-6);
  check_refusal(place.run(with(kEvaluate, {"--fit-temperature"})), 1, "calibration.json|--force");
  CHECK(place.run(with(kEvaluate, {"--fit-temperature", "--force"})).status == 0);
}

TEST_CASE("a calibration is for the model's own activation") {
  const ToyPlace place;
  const std::vector<std::string> sigmoid = {"classify",     "-m",      "toy",
                                            "--activation", "sigmoid", "good"};
  const std::string before = place.output(sigmoid);
  place.files().write("toy/calibration.json", R"({"temperature": 7})");
  CHECK(place.output(sigmoid) == before);
}

TEST_CASE("fitted thresholds decide which labels are given") {
  const ToyPlace place;
  const std::string rows = any_number_of_labels(place);
  const OrderedJson found = place.json({"evaluate", rows, "-m", "multi", "--format", "json"});
  CHECK(found["subset_accuracy"] == 0.75);
  CHECK_FALSE(found.contains("accuracy"));
  place.output({"evaluate", rows, "-m", "multi", "--fit-thresholds"});
  const OrderedJson stored = OrderedJson::parse(place.files().read("multi/calibration.json"));
  REQUIRE(stored["thresholds"].size() == 2);
  CHECK(place.json({"inspect", "-m", "multi", "--format", "json"})["calibration"]["thresholds"] ==
        stored["thresholds"]);
  place.files().write("multi/calibration.json", R"({"thresholds": {"positive": 0.99}})");
  const OrderedJson given = place.json({"classify", "-m", "multi", "--format", "json", "good"})[0];
  CHECK(given["labels"].empty());
  CHECK(place
            .json({"classify", "-m", "multi", "--format", "json", "--threshold", "0.5",
                   "good"})[0]["labels"]
            .size() == 1);
}

TEST_CASE("what cannot be fitted is refused, and nothing is stored") {
  const ToyPlace place;
  place.add("value", [](OrderedJson& config) { config["problem_type"] = "regression"; });
  place.files().write("rows.jsonl", kRows);
  place.files().write("right.jsonl", R"({"text": "good", "label": "positive"})");
  place.files().write("none.jsonl", "");
  struct Row {
    std::vector<std::string> arguments;
    int status;
    std::string reason;
  };
  const Row rows[] = {
      {{"evaluate", "right.jsonl", "-m", "toy", "--fit-temperature"},
       1,
       "right.jsonl|no temperature"},
      {{"evaluate", "none.jsonl", "-m", "toy", "--fit-temperature"}, 1, "none.jsonl|no row"},
      {{"evaluate", "rows.jsonl", "-m", "toy", "--fit-thresholds"}, 2, "needs a multi-label model"},
      {{"evaluate", "rows.jsonl", "-m", "value", "--fit-temperature"}, 1, "2 values"},
      {{"evaluate", "rows.jsonl", "-m", "toy", "--fit-temperature", "--activation", "none"},
       2,
       "--activation"},
      {{"evaluate", "rows.jsonl", "-m", "toy", "--attention-stats", "--zero-shot", "a,b"},
       2,
       "--zero-shot"},
  };
  for (const auto& [arguments, status, reason] : rows) {
    check_refusal(place.run(arguments), status, reason);
    CHECK_FALSE(place.files().has("toy/calibration.json"));
    CHECK_FALSE(place.files().has("toy/calibration.json.partial"));
  }
}

TEST_CASE("a broken calibration stops every command that would use it") {
  const ToyPlace place;
  place.files().write("toy/calibration.json", R"({"temperature": -1})");
  for (const std::string command : {"classify", "attention", "inspect"}) {
    std::vector<std::string> arguments = {command, "-m", "toy"};
    if (command != "inspect") arguments.emplace_back("good");
    if (command == "attention") arguments.insert(arguments.end(), {"--format", "json"});
    check_refusal(place.run(arguments), 1, "toy/calibration.json|temperature|-1");
  }
}

TEST_CASE("a file without rows is an error") {
  const ToyPlace place;
  place.files().write("none.jsonl", "");
  place.files().write("none.csv", "text,label\n");
  for (const std::string file : {"none.jsonl", "none.csv"}) {
    check_refusal(place.run({"evaluate", file, "-m", "toy"}), 1, file + ": has no rows");
  }
}

}  // namespace
}  // namespace headlight::evaluate_test
