// The program on models with an encoder and a decoder: labels of the command line, what other
// commands say of them, and texts without the token by which they classify.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::encoder_decoder_test {
namespace {

std::string published(const std::string& name) {
  return std::string(HEADLIGHT_TEST_DATA) + "/golden/published/" + name;
}

const std::string kBart = published("bart-entailment");

TEST_CASE("labels of the command line have the reference's probabilities") {
  // pipeline("zero-shot-classification") of transformers 5.23 on this folder.
  const ToyPlace place;
  const Arguments labels = {"-m", kBart, "--zero-shot", "a,b,ab b", "--format", "jsonl", "a ab b,"};
  const auto check = [](const OrderedJson& found, const std::vector<double>& expected) {
    const std::vector<double> scores = {found["probabilities"]["a"], found["probabilities"]["b"],
                                        found["probabilities"]["ab b"]};
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(scores[i] - expected[i]) < 1e-6);
  };
  check(place.json(with({"classify"}, labels)), {0.33432508, 0.41670534, 0.24896958});
  check(place.json(with({"classify", "--multi-label"}, labels)),
        {0.2245792, 0.2599928, 0.32762626});
}

TEST_CASE("a text without the token by which the model classifies is an error of that text") {
  const ToyPlace place;
  const Outcome outcome = place.run({"classify", "-m", kBart, "--ids", "5 6 7"});
  CHECK(outcome.status == 3);
  CHECK(outcome.out == "error: has no token </s>, by whose vector this model classifies\n");
}

TEST_CASE("what needs one stack of layers names the model's family") {
  const ToyPlace place;
  place.files().write("rows.csv",
                      "text,label\na b,neutral\nb,neutral\nab,entailment\na,entailment\n");
  struct Row {
    Arguments arguments;
    const char* task;
  };
  const std::vector<Row> rows = {
      {{"fit", "-m", kBart, "-o", "out", "rows.csv"}, "fit"},
      {{"explain", "-m", kBart, "--method", "gradient", "a b"}, "--method gradient"},
      {{"evaluate", "-m", kBart, "--attribute", "heads", "rows.csv"}, "--attribute"},
      {{"attention", "-m", kBart, "--verdicts", "a b"}, "--verdicts"},
      {{"attention", "-m", kBart, "--patch", "b a", "a b"}, "--patch"},
      {{"attention", "-m", kBart, "--activations", "a b"}, "--activations"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.task);
    check_last_reason(place.run(row.arguments), 1,
                      "has an encoder and a decoder (bart), and " + std::string(row.task) +
                          " reads models with one stack of layers");
  }
  check_last_reason(place.run({"stream", "-m", kBart}, "a\n"), 1,
                    "has an encoder and a decoder, so a new word changes");
}

}  // namespace
}  // namespace headlight::encoder_decoder_test
