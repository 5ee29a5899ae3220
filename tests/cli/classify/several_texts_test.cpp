// Several texts for the commands that show one text at a time.
#include <array>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/utf8.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"
#include "report/formats/npy.h"

namespace headlight::several_texts_test {
namespace {

const std::string kTexts = "good bad\nbad \xFF\ngood movie\n";

/// Runs the command with kTexts, of which the second cannot be read.
Outcome run_on_texts(const ToyPlace& place, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"-m", "toy"});
  Outcome outcome = place.run(arguments, kTexts);
  CHECK(outcome.complaint() == "");
  CHECK(outcome.status == 3);
  CHECK(outcome.err.find("1 of 3 texts could not be scored; first error: text 1") !=
        std::string::npos);
  return outcome;
}

TEST_CASE("the JSON of several texts is an array of what each alone gives") {
  const ToyPlace place;
  for (const std::string command : {"attention", "explain"}) {
    CAPTURE(command);
    const auto several = OrderedJson::parse(run_on_texts(place, {command, "--format", "json"}).out);
    REQUIRE(several.size() == 3);
    const std::vector<std::string> alone = {command, "-m", "toy", "--format", "json"};
    CHECK(several[0] == place.bare_json(alone, "good bad\n"));
    CHECK(several[1]["error"] == "not valid UTF-8 at byte 4");
    CHECK(several[2] == place.bare_json(alone, "good movie\n"));
    CHECK(place.json(alone, "good bad\n").is_object());
  }
}

TEST_CASE("the views of several texts follow each other") {
  const ToyPlace place;
  for (const std::string command : {"attention", "explain"}) {
    CAPTURE(command);
    const auto alone = [&](const std::string& text) {
      return place.output({command, "-m", "toy", text});
    };
    CHECK(run_on_texts(place, {command}).out ==
          alone("good bad") + "\nerror: not valid UTF-8 at byte 4\n\n" + alone("good movie"));
  }
}

TEST_CASE("a picture of a difference is the second text, or model, less the first") {
  const ToyPlace place;
  const auto weight = [&](const std::vector<std::string>& what, std::size_t from, std::size_t to) {
    std::vector<std::string> arguments = {"attention", "--format", "json"};
    arguments.insert(arguments.end(), what.begin(), what.end());
    return place.json(arguments)["attention"][0][0][from][to].get<double>();
  };
  const auto picture = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"attention", "--difference", "--format", "svg"});
    return place.output(arguments);
  };
  const std::string texts = picture({"-m", "toy", "good bad", "good good"});
  const double change =
      weight({"-m", "toy", "good good"}, 0, 1) - weight({"-m", "toy", "good bad"}, 0, 1);
  CHECK(texts.find("<title>good → bad → good " + formatted("%.4f", change)) != std::string::npos);
  CHECK(texts.find("Difference of attention") != std::string::npos);
  const std::string models = picture({"-m", "toy", "--compare", "toy", "good bad"});
  CHECK(models.find("<title>good → bad 0.0000") != std::string::npos);
  const auto refuse = [&](std::vector<std::string> arguments, const std::string& why) {
    arguments.insert(arguments.begin(), {"attention", "--difference", "--format", "svg"});
    check_last_reason(place.run(arguments), 2, why);
  };
  refuse({"-m", "toy", "good bad", "good"}, "as many tokens; found 2 (good, bad) and 1 (good)");
  refuse({"-m", "toy", "good"}, "--difference needs two texts, --compare or --ablate");
  refuse({"-m", "toy", "--words", "good", "bad"}, "--difference|--words");
}

TEST_CASE("an NPZ file of several texts has the arrays of each, named by its number") {
  const ToyPlace place;
  run_on_texts(place, {"attention", "--format", "npz", "-o", "all.npz"});
  const std::string archive = place.files().read("all.npz");
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
           {"0/attention.npy", "good bad"}, {"2/attention.npy", "good movie"}}) {
    CAPTURE(name);
    const std::string array = place.output({"attention", "-m", "toy", "--format", "npy", text});
    CHECK(archive.find(name + array) != std::string::npos);
  }
  for (const std::string name : {"0/tokens.npy", "0/offsets.npy", "2/tokens.npy", "2/logits.npy"}) {
    CHECK(archive.find(name) != std::string::npos);
  }
  CHECK(archive.find("1/") == std::string::npos);
  const std::string offsets = npy_array(std::array<std::size_t, 2>{2, 2}, {0, 4, 5, 8});
  CHECK(archive.find("0/offsets.npy" + offsets) != std::string::npos);
}

TEST_CASE("what has room for one text refuses a second one") {
  const ToyPlace place;
  const auto refused = [&](std::vector<std::string> arguments, const std::string& reason) {
    arguments.insert(arguments.end(), {"-m", "toy"});
    check_refusal(place.run(arguments, "good\nbad\n"), 2, "found 2 texts, expected one|" + reason);
  };
  refused({"attention", "--format", "npy"}, "--format npy shows one text");
  refused({"attention", "--hidden", "hidden.npy"}, "--hidden writes the vectors of one text");
  refused({"attention", "--activations"}, "--activations shows one text");
  check_refusal(place.run({"attention", "--format", "html", "-m", "toy", "a", "b", "c"}), 2,
                "--format html shows at most 2 texts|json, npz");
  std::string many;
  for (int i = 0; i < 17; ++i) many += "good\n";
  check_refusal(place.run({"attention", "--format", "svg", "-m", "toy"}, many), 2,
                "--format svg shows at most 16 texts");
  for (const std::string format : {"html", "svg"}) {
    refused({"explain", "--format", format}, "--format " + format + " shows one text");
  }
  check_refusal(place.run({"attention", "-m", "toy"}, ""), 2, "no text was given");
}

}  // namespace
}  // namespace headlight::several_texts_test
