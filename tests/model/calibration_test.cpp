#include "model/calibration.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"

namespace headlight::calibration_test {
namespace {

Description described(ProblemType type) {
  Description model;
  model.labels = {"toxic", "threat"};
  model.problem_type = type;
  return model;
}

ModelPlace folder_place(const TemporaryFolder& folder) {
  return {"m", folder / "m", folder / "m/config.json", "", folder / "m"};
}

TEST_CASE("a calibration stands in the model's directory, or beside a bare config under its name") {
  CHECK(calibration_path({"m", "a/m", "a/m/config.json", "", "a/m"}) == "a/m/calibration.json");
  CHECK(calibration_path({"t", "a/t.json", "a/t.json", "", ""}) == "a/t.calibration.json");
}

TEST_CASE("no file is no calibration") {
  const TemporaryFolder folder;
  const auto none = read_calibration(folder_place(folder), described(ProblemType::single_label));
  CHECK(none.file.empty());
  CHECK_FALSE(none.temperature.has_value());
  CHECK(none.thresholds.empty());
}

TEST_CASE("a label without a threshold has 0.5") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("m/calibration.json", R"({"temperature": 1.5, "thresholds": {"threat": 0.25}})");
  const auto found = read_calibration(folder_place(folder), described(ProblemType::multi_label));
  CHECK(found.file == file);
  CHECK(found.temperature == 1.5);
  CHECK(found.thresholds == std::vector<float>{0.5F, 0.25F});
}

TEST_CASE("a broken calibration is refused with its file and field") {
  const auto single = ProblemType::single_label;
  const auto multi = ProblemType::multi_label;
  struct Row {
    ProblemType type;
    std::string json;
    std::string error;
  };
  const Row rows[] = {
      {single, "", ": column 1: not valid JSON"},
      {single, "[]", ": found a list of 0, expected an object"},
      {single, R"({"temperatur": 1})", ": temperatur: unknown field; did you mean temperature?"},
      {single, R"({"temperature": 0})",
       ": temperature: found 0, expected a number from 0.001 to 1000"},
      {single, R"({"temperature": -1})",
       ": temperature: found -1, expected a number from 0.001 to 1000"},
      {single, R"({"temperature": 1e9})",
       ": temperature: found 1000000000.0, expected a number from 0.001 to 1000"},
      {single, R"({"temperature": "1"})", ": temperature: found \"1\", expected a number"},
      {single, R"({"temperature": null})", ": temperature: found null, expected a number"},
      {ProblemType::regression, R"({"temperature": 2})",
       ": temperature applies to probabilities, but the model is a regression"},
      {single, R"({"thresholds": {"toxic": 0.5}})",
       ": thresholds apply only to multi-label models"},
      {multi, R"({"thresholds": [0.5]})", ": thresholds: found a list of 1, expected an object"},
      {multi, R"({"thresholds": {"toxik": 0.5}})",
       ": thresholds.toxik is not a label of the model; did you mean toxic?"},
      {multi, R"({"thresholds": {"toxic": 1.5}})",
       ": thresholds.toxic: found 1.5, expected a number from 0 to 1"},
      {multi, R"({"thresholds": {"toxic": "0"}})",
       ": thresholds.toxic: found \"0\", expected a number"},
  };
  for (const auto& [type, json, error] : rows) {
    INFO(json);
    const TemporaryFolder folder;
    const std::string file = folder.write("m/calibration.json", json);
    const std::string found =
        error_of([&, t = type] { read_calibration(folder_place(folder), described(t)); });
    INFO(found);
    CHECK(found.starts_with(file));
    CHECK(found.find(error) != std::string::npos);
  }
}

}  // namespace
}  // namespace headlight::calibration_test
