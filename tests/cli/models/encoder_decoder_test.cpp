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

TEST_CASE("attention says of each map what it is between") {
  const ToyPlace place;
  const OrderedJson found = place.json({"attention", "-m", kBart, "--format", "json", "a b ab"});
  CHECK(found["maps"] == OrderedJson::parse(R"([{"layer":0,"kind":"encoder","number":0},
                                               {"layer":1,"kind":"decoder","number":0},
                                               {"layer":2,"kind":"cross","number":0},
                                               {"layer":3,"kind":"decoder","number":1},
                                               {"layer":4,"kind":"cross","number":1}])"));
  CHECK(found["tokens"] == OrderedJson::parse(R"(["<s>","a","\u0120","b","\u0120a","b","</s>"])"));
  CHECK(found["target_tokens"] ==
        OrderedJson::parse(R"(["</s>","<s>","a","\u0120","b","\u0120a","b"])"));
  CHECK(found["attention"].size() == 5);
  const OrderedJson inspected = place.json({"inspect", "-m", kBart, "--format", "json"});
  CHECK(inspected["maps"] == found["maps"]);
  CHECK(inspected["layers"] == 5);
  const std::string text =
      place.output({"attention", "-m", kBart, "--layers", "3,4", "--heads", "1", "a b ab"});
  CHECK(text.find("layer 3 (decoder), head 1\n") != std::string::npos);
  CHECK(text.find("layer 4 (cross), head 1\n") != std::string::npos);
}

TEST_CASE("a query is the row at which a decoder has read it") {
  const ToyPlace place;
  const Arguments of_heads = {"attention", "-m",       kBart,  "--words", "--heads",
                              "0",         "--format", "json", "a b ab"};
  const OrderedJson all = place.json(of_heads);
  const OrderedJson one = place.json(with(of_heads, {"--query", "ab"}));
  // words: <s> a Ġ b ab </s>; the decoder reads </s> <s> a Ġ b ab
  REQUIRE(one["queries"] == OrderedJson::parse("[4]"));
  CHECK(one["target_tokens"].back() == "ab");
  for (const std::size_t layer : {0U, 1U, 2U, 3U, 4U}) {
    CAPTURE(layer);
    CHECK(one["attention"][layer][0][0] == all["attention"][layer][0][layer == 0 ? 4 : 5]);
  }
}

TEST_CASE("rollout of a decoder takes half of each cross-attention from the encoder's") {
  const ToyPlace place;
  const Arguments base = {"attention", "-m", kBart, "--format", "json", "a b ab"};
  const OrderedJson found = place.json(with(base, {"--rollout"}))["rollout"];
  const auto layers =
      place.json(base)["attention"]
          .get<std::vector<std::vector<std::vector<std::vector<double>>>>>();  // [layer, head, n,
                                                                               // n]
  const std::size_t n = found.size();
  using Rows = std::vector<std::vector<double>>;
  const auto product = [&](const Rows& a, const Rows& b) {
    Rows c(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = 0; j < n; ++j) c[i][j] += a[i][k] * b[k][j];
    return c;
  };
  const auto step = [&](std::size_t layer, double own) {
    Rows mean(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        mean[i][j] = (1.0 - own) * (layers[layer][0][i][j] + layers[layer][1][i][j]) / 2.0;
      }
      mean[i][i] += own;
    }
    return mean;
  };
  const Rows encoder = step(0, 0.5);
  Rows rows(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) rows[i][(i + n - 1) % n] = 1.0;
  for (const std::size_t layer : {1U, 3U}) {
    rows = product(step(layer, 0.5), rows);
    const Rows across = product(step(layer + 1, 0.0), encoder);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) rows[i][j] = (rows[i][j] + across[i][j]) / 2.0;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      CHECK(std::abs(found[i][j].get<double>() - rows[i][j]) < 1e-6);
    }
  }
}

TEST_CASE("heads of a decoder are switched off as the reference's are without their columns") {
  // transformers 5.23 with zeros in these columns of out_proj: those of head 0 of the second
  // encoder_attn and of head 1 of the first self_attn.
  const ToyPlace place;
  const OrderedJson without =
      place.json({"attention", "-m", kBart, "--ablate", "4.0,1.1", "--format", "json", "a b ab"});
  const OrderedJson& logits = without[1]["logits"];
  CHECK(std::abs(logits["contradiction"].get<double>() - 0.5098146) < 1e-6);
  CHECK(std::abs(logits["neutral"].get<double>() - 1.5549552) < 1e-6);
  place.files().write("row.csv", "text,label\na b ab,neutral\n");
  const OrderedJson parts = place.json({"evaluate", "-q", "-m", kBart, "--ablate", "heads",
                                        "--format", "json", "row.csv"})["ablation"];
  for (const OrderedJson& part : parts) {
    if (part["layer"] != 4 || part["head"] != 0) continue;
    CHECK(std::abs(part["logit_change"].get<double>() - 0.16755722) < 1e-6);
  }
  CHECK(parts.size() == 10);
}

TEST_CASE("gradients of a word are those of its tokens in both stacks") {
  // torch.autograd over transformers 5.23: (x · gradient) of what the first layer of each stack
  // reads, where the decoder's row is that of the token before it.
  struct Row {
    const char* model;
    const char* label;
    std::vector<double> effects;
  };
  const std::vector<Row> rows = {
      {"bart-entailment", "neutral", {-0.2891059, 0.5535206, -0.4368602}},
      {"mbart-three-labels", "no", {-0.004387, -0.0130338, -0.4549595}},
      {"t5-three-labels", "yes", {0.0202588, -0.0173732, 0.1977656}},
      {"umt5-three-labels", "yes", {0.1858608, 0.457032, 0.5572414}}};
  const ToyPlace place;
  for (const Row& row : rows) {
    CAPTURE(row.model);
    const OrderedJson words = place.json({"explain", "-m", published(row.model), "--method",
                                          "gradient", "--format", "json", "a b ab"})["words"];
    REQUIRE(words.size() == row.effects.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      CHECK(std::abs(words[i]["effect"][row.label].get<double>() - row.effects[i]) < 1e-5);
    }
  }
  const std::string integrated =
      place.output({"explain", "-m", kBart, "--method", "integrated-gradients", "a b ab"});
  CHECK(integrated.find("completeness gap 0.00") != std::string::npos);
}

TEST_CASE("statistics between tokens of two stacks have no distance") {
  const ToyPlace place;
  const OrderedJson heads =
      place.json({"attention", "-m", kBart, "--stats", "--format", "json", "a b"})["heads"];
  for (const OrderedJson& head : heads) {
    const bool crosses = head["layer"] == 2 || head["layer"] == 4;
    for (const char* name : {"distance", "self", "previous", "next"}) {
      CHECK(head[name].is_null() == crosses);
    }
    CHECK(head["entropy"].is_number());
  }
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
      {{"evaluate", "-m", kBart, "--attention-stats", "rows.csv"}, "--attention-stats"},
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
