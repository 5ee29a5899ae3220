// Lines of text for people: what is shown unasked.
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

}  // namespace
}  // namespace headlight::text_lines_test
