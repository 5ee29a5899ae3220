// Lines of text for people: what is shown unasked, and pairs in the order in which they are read.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::text_lines_test {
namespace {

using Arguments = std::vector<std::string>;

TEST_CASE("classify prints label and probability, and logits when asked") {
  const ToyPlace place;
  const std::string logits = "positive 88.1 %   negative -1.00  positive 1.00   good\n";
  CHECK(place.output({"classify", "-m", "toy", "good"}) == "positive 88.1 %   good\n");
  CHECK(place.output({"classify", "-m", "toy", "--logits", "good"}) == logits);
  CHECK(place.run({"classify", "-m", "toy", "-v", "good"}).out == logits);
  CHECK(place.output({"classify", "-m", "toy", "--activation", "none", "good"}) ==
        "positive   negative -1.00  positive 1.00   good\n");
  for (const std::string format : {"json", "jsonl", "csv"}) {
    const Arguments line = {"classify", "-m", "toy", "--format", format, "good"};
    const std::string out = place.output(line);
    CHECK(out.find("logit") != std::string::npos);
    Arguments asked = line;
    asked.emplace_back("--logits");
    CHECK(place.output(asked) == out);
  }
}

TEST_CASE("stream and attention print no logits unasked either") {
  const ToyPlace place;
  place.add("causal", [](OrderedJson& config) { config["attention_mask"] = "causal"; });
  CHECK(place.output({"stream", "-m", "causal", "--format", "text"}, "good") ==
        "positive 88.1 %   good\n");
  CHECK(place.output({"stream", "-m", "causal", "--format", "text", "--logits"}, "good") ==
        "positive 88.1 %   negative -1.00  positive 1.00   good\n");
  CHECK(place.output({"attention", "-m", "toy", "good"}).starts_with("positive 88.1 %   good\n"));
}

TEST_CASE("a pair is shown in the order in which the model reads it") {
  const ToyPlace place;
  for (const Arguments& order : {Arguments{"good", "--pair", "bad"}, {"--pair", "bad", "good"}}) {
    const auto output = [&](Arguments arguments) {
      arguments.insert(arguments.end(), {"-m", "toy"});
      arguments.insert(arguments.end(), order.begin(), order.end());
      return place.output(arguments);
    };
    CHECK(output({"classify"}).ends_with("   good ⟶ bad\n"));
    CHECK(lines_of(output({"attention"})).front().ends_with("   good ⟶ bad"));
    CHECK(output({"attention", "--activations", "--format", "text"}).find("good ⟶ bad\n") !=
          std::string::npos);
    CHECK(output({"attention", "--format", "svg"}).find("good ⟶ bad") != std::string::npos);
    CHECK(output({"explain"}).find("[---good]\n⟶ [+++bad]\n") != std::string::npos);
    CHECK(output({"explain", "--format", "html"}).find(">⟶ ") != std::string::npos);
    CHECK(lines_of(output({"tokenize"})).front() == "good ⟶ bad");
  }
  CHECK(place.output({"tokenize", "-m", "toy", "good"}).starts_with("good "));
}

TEST_CASE("--pair beside more than one text is refused with how to give a pair") {
  const ToyPlace place;
  for (const std::string command : {"classify", "attention", "explain", "tokenize"}) {
    const std::string line = "headlight " + command + R"( "A" --pair "B")";
    check_refusal(place.run({command, "-m", "toy", "--pair", "good", "bad", "plot"}), 2,
                  "--pair|found 2 first texts|" + line);
    CHECK(place.run({command, "--help"}).out.find("--pair") != std::string::npos);
  }
  CHECK(lines_of(place.output({"classify", "-m", "toy", "--pair", "bad"}, "good\nplot\n")) ==
        std::vector<std::string>{"negative 50.0 %   good ⟶ bad", "negative 73.1 %   plot ⟶ bad"});
}

}  // namespace
}  // namespace headlight::text_lines_test
