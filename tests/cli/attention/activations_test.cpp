// attention --activations on a toy whose vectors are known, and on two of the zoo.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::activations_test {
namespace {

const std::string kConfigs = std::string(HEADLIGHT_SOURCE) + "/configs/";

TEST_CASE("--activations gives norms, changes and cosines of every state") {
  const ToyPlace place;
  const auto json = place.json({"attention", "-m", kConfigs + "one-head.json", "--activations",
                                "--format", "json", "prefer over is"});
  CHECK(json["model"] == "one-head");
  CHECK(json["text"] == "prefer over is");
  CHECK(json["tokens"] == OrderedJson({"prefer", "over", "is"}));
  REQUIRE(json["norms"].size() == 2);
  // The embedded words are [0, 1, 0 …], [0, 0, 0, 1 …] and [0, 0, 0, 0, 0.2 …].
  CHECK(json["norms"][0][0] == 1.0);
  CHECK(json["norms"][0][2].get<double>() == doctest::Approx(0.2));
  REQUIRE(json["change"].size() == 1);
  CHECK(json["change"][0].size() == 3);
  REQUIRE(json["similarity"].size() == 2);
  CHECK(json["similarity"][0] == OrderedJson({{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}));
}

TEST_CASE("--compare puts another model's beside it") {
  const ToyPlace place;
  std::vector<std::string> arguments = {"attention",     "-m",        kConfigs + "one-head.json",
                                        "--activations", "--compare", kConfigs + "four-heads.json",
                                        "it is",         "--format",  "json"};
  const auto json = place.json(arguments);
  REQUIRE(json["models"].size() == 2);
  CHECK(json["models"][0]["model"] == "one-head");
  CHECK(json["models"][1]["model"] == "four-heads");
  CHECK(json["models"][0]["norms"][0] == json["models"][1]["norms"][0]);
  CHECK(json["models"][0]["norms"][1] != json["models"][1]["norms"][1]);
  arguments.back() = "text";
  const std::string text = place.output(arguments);
  CHECK(text.find("one-head") < text.find("four-heads"));
  CHECK(text.find("█") != std::string::npos);
  arguments.back() = "svg";
  const std::string picture = place.output(arguments);
  CHECK(picture.starts_with("<?xml"));
  CHECK(picture.find("four-heads: it is") != std::string::npos);
}

TEST_CASE("--activations works without a classification head, on pairs and on ids") {
  const ToyPlace place;
  const std::string published = std::string(HEADLIGHT_TEST_DATA) + "/golden/published/";
  const auto vectors = place.json({"attention", "-m", published + "bert-masked-lm", "--activations",
                                   "--format", "json", "--ids", "7 8"});
  CHECK(vectors["tokens"].size() == 2);
  CHECK(vectors["norms"].size() == 2);
  const auto pair = place.json({"attention", "-m", published + "bert-three-labels", "--activations",
                                "--format", "json", "--pair", "b", "a"});
  CHECK(pair["pair"] == "b");
  CHECK(pair["tokens"].size() == 5);
}

TEST_CASE("what does not go with --activations is said") {
  struct Row {
    std::vector<std::string> arguments;
    int status;
    std::string reason;
  };
  const Row rows[] = {
      {{"--compare", "toy", "good"}, 2, "--compare|--format html|--activations"},
      {{"--activations", "--hidden", "v.npy", "good"}, 2, "--activations|--hidden"},
      {{"--activations", "--long", "window", "good"}, 2, "--long|window"},
      {{"--activations", "--compare", "nothing", "good"}, 1, "nothing"},
      {{"--activations", "good", "bad"}, 2, "one text"},
      {{"--activations", ""}, 3, "gives no tokens"},
  };
  const ToyPlace place;
  for (const Row& row : rows) {
    INFO("reason: " << row.reason);
    std::vector<std::string> arguments = {"attention", "-m", "toy", "--format", "json"};
    arguments.insert(arguments.end(), row.arguments.begin(), row.arguments.end());
    check_refusal(place.run(arguments), row.status, row.reason);
  }
}

}  // namespace
}  // namespace headlight::activations_test
