// headlight evaluate --by and --compare: parts of a file, and two models on the same rows.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::slices_test {
namespace {

const std::string kRows =
    "{\"id\": \"a\", \"text\": \"good\", \"label\": \"positive\", \"shop\": \"north\"}\n"
    "{\"id\": \"b\", \"text\": \"bad\", \"label\": \"positive\", \"shop\": \"south\"}\n"
    "{\"id\": \"c\", \"text\": \"good plot\", \"label\": \"positive\", \"shop\": \"north\"}\n"
    "{\"id\": \"d\", \"text\": \"bad\", \"label\": \"negative\", \"shop\": null}\n"
    "{\"id\": \"e\", \"text\": \"good <b>\", \"label\": \"negative\", \"shop\": \"south\"}\n"
    "{\"id\": \"f\", \"text\": \"movie\", \"shop\": \"south\"}\n";

std::vector<std::string> evaluate_with(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"evaluate", "rows.jsonl",      "-m",
                                        "toy",      "--row-errors-ok", "--quiet"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// Standard output, although one row is an error.
std::string text_of(const ToyPlace& place, const std::vector<std::string>& arguments) {
  const Outcome outcome = place.run(arguments);
  CHECK(outcome.status == 0);
  return outcome.out;
}

OrderedJson json_of(const ToyPlace& place, const std::vector<std::string>& arguments) {
  return OrderedJson::parse(text_of(place, arguments));
}

/// A model that takes "good" for bad and the reverse, with its labels in the other order.
void add_rival(const ToyPlace& place) {
  place.add("rival", [](OrderedJson& config) {
    config["id2label"] = {{"0", "positive"}, {"1", "negative"}};
    config.erase("label2id");
  });
}

TEST_CASE("--by measures each value of a field, the worst first, in every format") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  const OrderedJson found = json_of(place, evaluate_with({"--by", "shop", "--format", "json"}));
  CHECK(found["rows"] == 6);
  CHECK(found["by"] == "shop");
  REQUIRE(found["slices"].size() == 3);
  CHECK(found["slices"][0]["value"] == "south");
  CHECK(found["slices"][0]["rows"] == 3);
  CHECK(found["slices"][0]["errors"] == 1);
  CHECK(found["slices"][0]["accuracy"] == 0.0);
  CHECK(found["slices"][0]["accuracy_interval"].size() == 2);
  CHECK(found["slices"][0].contains("confusion"));
  CHECK(found["slices"][1]["value"] == "north");
  CHECK(found["slices"][1]["accuracy"] == 1.0);
  CHECK(found["slices"][2]["value"].is_null());
  const std::string text = text_of(place, evaluate_with({"--by", "shop", "--html", "page.html"}));
  CHECK(text.find("\nshop       rows  errors  accuracy") != std::string::npos);
  CHECK(text.find("\n(missing)     1       0   100.0 %") != std::string::npos);
  const std::string page = place.files().read("page.html");
  CHECK(page.find("<h2>By shop</h2>") != std::string::npos);
  CHECK(page.find("<td>south</td>") < page.find("<td>north</td>"));
  const OrderedJson lengths = json_of(place, evaluate_with({"--by", "length", "--format", "json"}));
  REQUIRE(lengths["slices"].size() == 1);
  CHECK(lengths["slices"][0]["rows"] == 5);
}

TEST_CASE("a field that is not there is refused") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  place.files().write("rows.csv", "text,label\ngood,positive\n");
  check_last_reason(place.run(evaluate_with({"--by", "town"})), 1,
                    "no row has the field \"town\" of --by");
  check_last_reason(place.run({"evaluate", "rows.csv", "-m", "toy", "--by", "town"}), 1,
                    "has no column \"town\" for --by|its columns are text, label");
}

TEST_CASE("--compare counts the rows that only one model predicts correctly") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  add_rival(place);
  for (const std::string threads : {"1", "3"}) {
    const OrderedJson found = json_of(
        place, evaluate_with({"--compare", "rival", "--format", "json", "--threads", threads}));
    const OrderedJson& comparison = found["comparison"];
    CHECK(comparison["model"] == "rival");
    CHECK(comparison["both"] == 0);
    CHECK(comparison["first_only"] == 3);
    CHECK(comparison["second_only"] == 2);
    CHECK(comparison["neither"] == 0);
    CHECK(comparison["errors"] == 1);
    CHECK(comparison["agreement"] == 0);
    CHECK(comparison["p_value"].get<double>() == doctest::Approx(1.0));
    CHECK(comparison["second"]["accuracy"] == 2.0 / 5.0);
    CHECK(comparison["second"]["errors"] == 1);
    REQUIRE(comparison["rows"].size() == 5);
    CHECK(comparison["rows"][1]["id"] == "b");
    CHECK(comparison["rows"][1]["gold"] == "positive");
    CHECK(comparison["rows"][1]["first"] == "negative");
    CHECK(comparison["rows"][1]["second"] == "positive");
  }
  const std::string text =
      text_of(place, evaluate_with({"--compare", "rival", "--html", "page.html"}));
  CHECK(text.find("exact McNemar test p = 1.0000") != std::string::npos);
  CHECK(text.find("only rival is right (2 of 2 rows)") != std::string::npos);
  const std::string page = place.files().read("page.html");
  CHECK(page.find("<h2>toy and rival</h2>") != std::string::npos);
  CHECK(page.find("good &lt;b&gt;") != std::string::npos);
}

TEST_CASE("a model compares with itself as equal, and one with other labels is refused") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  const OrderedJson same = json_of(place, evaluate_with({"--compare", "toy", "--format", "json"}));
  CHECK(same["comparison"]["agreement"] == 5);
  CHECK(same["comparison"]["second"]["log_loss"] == same["log_loss"]);
  place.add("other", [](OrderedJson& config) {
    config["id2label"] = {{"0", "cold"}, {"1", "warm"}};
    config.erase("label2id");
  });
  check_last_reason(place.run(evaluate_with({"--compare", "other"})), 1,
                    "other: has other labels (cold, warm) than toy (negative, positive)");
  check_last_reason(place.run(evaluate_with({"--compare", "toy", "--attention-stats"})), 2,
                    "--compare|--attention-stats");
}

}  // namespace
}  // namespace headlight::slices_test
