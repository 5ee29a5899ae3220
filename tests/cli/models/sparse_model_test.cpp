// A pipeline of scikit-learn as a model of each command.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::sparse_model_test {
namespace {

std::string golden(const std::string& name) {
  return HEADLIGHT_TEST_DATA "/golden/pipelines/" + name;
}

TEST_CASE("batch writes the same rows with one thread and with several") {
  const ToyPlace place;
  std::string lines;
  for (std::size_t i = 0; i < 2000; ++i) lines += "good film " + std::to_string(i) + " Été\n";
  const std::vector<std::string> batch = {"batch", "-", "-m", golden("union"), "--logits"};
  const auto with = [&](const std::string& threads) {
    std::vector<std::string> arguments = batch;
    arguments.insert(arguments.end(), {"--threads", threads});
    return place.output(arguments, lines);
  };
  const std::string one = with("1");
  CHECK(lines_of(one).size() == 2000);
  CHECK(one == with("3"));
}

TEST_CASE("explain says exactly what words add to the logit") {
  const ToyPlace place;
  for (const std::string name : {"words", "union", "hashed", "pattern"}) {
    CAPTURE(name);
    const auto json =
        place.bare_json({"explain", "-m", golden(name), "--format", "json", "good film, Été film"});
    const auto& found = json.is_array() ? json[0] : json;
    CHECK(found["method"] == "exact");
    CHECK(found["words"].size() == 4);
  }
  const Outcome text = place.run({"explain", "-m", golden("words"), "good film"});
  CHECK(text.out.find("and the bias add up to the logit") != std::string::npos);
}

TEST_CASE("inspect and tokenize show the features") {
  const ToyPlace place;
  const std::string text = place.output({"inspect", "-m", golden("union")});
  CHECK(text.find("analyzer2 char_wb, ngrams2 1-4, features2 40") != std::string::npos);
  const auto tokens =
      place.bare_json({"tokenize", "-m", golden("words"), "--format", "jsonl", "good zzz"});
  CHECK(tokens["tokens"] == OrderedJson::parse(R"(["good", "zzz", "good zzz"])"));
  CHECK(tokens["ids"][0].is_number());
  CHECK(tokens["ids"][1].is_null());
  CHECK(tokens["offsets"] == OrderedJson::parse("[[0, 4], [5, 8], [0, 8]]"));
}

TEST_CASE("evaluate measures such a model, with and without probabilities") {
  const ToyPlace place;
  place.files().write("rows.csv", "text,label\ngood,label 0\nbad film,label 1\n");
  for (const std::string name : {"words", "hashed"}) {
    const auto json =
        place.bare_json({"evaluate", "rows.csv", "-m", golden(name), "--format", "json"});
    CHECK(json["rows"] == 2);
    CHECK(json["errors"] == 0);
  }
}

TEST_CASE("the memory of batch does not grow with the rows of such a model") {
  const ToyPlace place;
  std::string few;
  for (std::size_t i = 0; i < 500; ++i) {
    few += "good" + std::to_string(i) + " film" + std::to_string(i * i) + "\n";
  }
  std::string many;
  for (std::size_t i = 0; i < 200; ++i) many += few;
  const auto peak = [&](const std::string& lines) {
    const Outcome outcome =
        place.run({"batch", "-", "-m", golden("union"), "-q", "--threads", "1"}, lines);
    REQUIRE(outcome.status == 0);
    return outcome.peak_kilobytes;
  };
  CHECK(peak(many) < peak(few) + 16 * 1024);
}

TEST_CASE("commands that need layers or vectors refuse such a model by name") {
  const ToyPlace place;
  const std::string model = golden("words");
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"attention", "good"},
                                             {"stream"},
                                             {"rank", "good", "rows.txt"},
                                             {"embed", "good", "--format", "jsonl"},
                                             {"embed", "rows.txt", "-o", "out.npy"},
                                             {"prune", "rows.txt", "-o", "out"}}) {
    CAPTURE(command);
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"-m", model});
    const Outcome outcome = place.run(arguments, "good\n");
    CHECK(outcome.status != 0);
    check_sane(outcome);
  }
  check_refusal(place.run({"attention", "-m", model, "good"}), 1,
                "is a model of n-grams, without layers, and attention needs some");
  check_last_reason(place.run({"classify", "-m", model, "good", "--pair", "bad"}), 3,
                    "is a pair, but models of n-grams read one text");
}

}  // namespace
}  // namespace headlight::sparse_model_test
