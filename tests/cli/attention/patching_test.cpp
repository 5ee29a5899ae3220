// headlight attention --verdicts, --patch, --steps and --ablate, on a toy where one can count: each
// word also gets the mean of all words, and the classifier reads the mean of the words.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::patching_test {
namespace {

std::vector<std::string> attention(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"attention", "-m", "attending"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_CASE("--verdicts applies the head after each layer, and says what that means") {
  const ToyPlace place;
  place.add_attending();
  const OrderedJson found = place.json(attention({"--verdicts", "--format", "json", "good movie"}));
  CHECK(found["note"].get<std::string>().find("trained for the vectors of the last layer") !=
        std::string::npos);
  REQUIRE(found["verdicts"].size() == 2);
  CHECK(found["verdicts"][0]["state"] == "embedding");
  CHECK(found["verdicts"][0]["logits"]["positive"] == 0.5);
  CHECK(found["verdicts"][0]["label"] == "positive");
  CHECK(found["verdicts"][1]["state"] == "layer 0");
  CHECK(found["verdicts"][1]["logits"]["positive"] == 1.0);
  const std::string text = place.output(attention({"--verdicts", "good movie"}));
  CHECK(text.starts_with("embedding   positive"));
  CHECK(text.find("\nlayer 0     positive") != std::string::npos);
}

TEST_CASE("--patch changes one vector at a time") {
  const ToyPlace place;
  place.add_attending();
  const OrderedJson found =
      place.json(attention({"--patch", "bad movie", "--format", "json", "good movie"}));
  CHECK(found["logits"]["positive"] == 1.0);
  CHECK(found["other_logits"]["positive"] == -1.0);
  CHECK(found["label"] == "negative");
  CHECK(found["other_tokens"] == OrderedJson({"bad", "movie"}));
  // After the embedding, "bad" in the place of "good" is the other text. After the layer, good is
  // (1 + 0.5) and movie 0.5, bad is (-1 - 0.5) and its movie -0.5: the mean of two changes by -1.5
  // or -0.5.
  CHECK(found["change"]["positive"] == OrderedJson::parse("[[-2.0, 0.0], [-1.5, -0.5]]"));
  CHECK(found["change"]["negative"] == OrderedJson::parse("[[2.0, 0.0], [1.5, 0.5]]"));
  const std::string text = place.output(attention({"--patch", "bad movie", "good movie"}));
  CHECK(
      text.find(
          "change of the logit of negative, which is -1.00 for the text and 1.00 for the other") ==
      0);
  CHECK(text.find("\ngood → bad      +2.00    +1.50") != std::string::npos);
  const std::string page =
      place.output(attention({"--patch", "bad movie", "--format", "html", "good movie"}));
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(page.find("good → bad") != std::string::npos);
  CHECK(place.output(attention({"--patch", "bad movie", "--format", "svg", "good movie"}))
            .find("<svg") != std::string::npos);
}

TEST_CASE("--steps shows the numbers that make the weights of a query, to be computed by hand") {
  const ToyPlace place;
  place.add_attending();
  const OrderedJson found =
      place.json(attention({"--steps", "--query", "1", "--format", "json", "good movie"}));
  CHECK(found["tokens"] == OrderedJson({"good", "movie"}));
  CHECK(found["layer"] == 0);
  CHECK(found["query"] == 1);
  double sum = 0.0;
  std::vector<double> output(found["q"].size());
  for (std::size_t key = 0; key < 2; ++key) {
    double product = 0.0;
    for (std::size_t i = 0; i < output.size(); ++i) {
      product += found["q"][i].get<double>() * found["keys"][key][i].get<double>();
      output[i] += found["weights"][key].get<double>() * found["values"][key][i].get<double>();
    }
    CHECK(found["products"][key].get<double>() == doctest::Approx(product));
    CHECK(found["scores"][key].get<double>() ==
          doctest::Approx(product * found["scale"].get<double>()));
    sum += std::exp(found["scores"][key].get<double>());
  }
  for (std::size_t key = 0; key < 2; ++key) {
    CHECK(found["weights"][key].get<double>() ==
          doctest::Approx(std::exp(found["scores"][key].get<double>()) / sum));
  }
  for (std::size_t i = 0; i < output.size(); ++i) {
    CHECK(found["output"][i].get<double>() == doctest::Approx(output[i]));
  }
  const std::string text = place.output(attention({"--steps", "--query", "movie", "good movie"}));
  CHECK(text.starts_with("head 0 of layer 0, query 1: movie\n"));
  CHECK(text.find("\nmovie") != std::string::npos);
}

TEST_CASE("--ablate shows a text with and without some heads") {
  const ToyPlace place;
  place.add_attending();
  const OrderedJson found =
      place.json(attention({"--ablate", "0.0", "--format", "json", "good movie"}));
  REQUIRE(found.size() == 2);
  CHECK(found[0] == place.bare_json(attention({"--format", "json", "good movie"})));
  CHECK(found[1]["model"] == "attending without 0.0");
  CHECK(found[0]["logits"]["positive"] == 1.0);
  CHECK(found[1]["logits"]["positive"] == 0.5);  // of the words alone
  const std::string text = place.output(attention({"--ablate", "0.0", "good movie"}));
  CHECK(text.find("good movie   without 0.0") != std::string::npos);
}

TEST_CASE("what cannot be patched is refused") {
  const ToyPlace place;
  place.add_attending();
  struct Case {
    std::vector<std::string> arguments;
    std::string reason;
  };
  const Case cases[] = {
      {{"--patch", "bad", "good movie"}, "the same number of tokens, found 2 and 1"},
      {{"--verdicts", "--format", "npy", "-o", "x.npy", "good"},
       "--verdicts needs --format text or json"},
      {{"--patch", "bad", "--verdicts", "good"}, "--patch|--verdicts"},
      {{"--steps", "--head", "1.0", "good"}, "--head|layers 0 to 0"},
      {{"--steps", "--head", "0", "good"}, "expected LAYER.HEAD"},
      {{"--head", "0.0", "good"}, "--head needs --steps"},
      {{"--ablate", "0.0,0.9", "good"}, "--ablate|heads 0 to"},
      {{"--ablate", "0.0", "--format", "svg", "good"}, "--ablate needs --format"},
      {{"--steps", "--format", "npy", "-o", "x.npy", "good"},
       "--steps needs --format text, json, svg or html"},
      {{"--patch", "bad", "--stats", "good"}, "--patch|--stats"},
      {{"--verdicts", "--activations", "good"}, "--verdicts|--activations"},
  };
  for (const auto& [arguments, reason] : cases) {
    check_last_reason(place.run(attention(arguments)), 2, reason);
  }
}

}  // namespace
}  // namespace headlight::patching_test
