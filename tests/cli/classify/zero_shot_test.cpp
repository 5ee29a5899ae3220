// Labels that the command line names, judged by a toy that counts: "good" speaks for entailment,
// "bad" for contradiction.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::zero_shot_test {
namespace {

constexpr int kUnusable = 1;
constexpr int kWrongUsage = 2;

void use_entailment_labels(OrderedJson& config) {
  config["id2label"] = {"contradiction", "entailment"};
}

TEST_CASE("labels of the command line stand where the model's would") {
  const ToyPlace place;
  place.add("nli", use_entailment_labels);
  const Arguments labels = {"-m",          "nli",  "--zero-shot", "good, bad",
                            "--zero-shot", "plot", "--template",  "a {} movie"};
  // Premise "plot" and hypothesis "a good movie": one good of four words, so the toy says (-1/4,
  // 1/4).
  CHECK(place.json(with({"classify", "--format", "jsonl", "plot"}, labels)) ==
        OrderedJson::parse(
            R"({"text":"plot","label":"good","probability":0.41922894,
                "probabilities":{"good":0.41922894,"bad":0.2542752,"plot":0.32649583},
                "logits":{"good":0.25,"bad":-0.25,"plot":0},"tokens":4})"));
  CHECK(place.output(with({"classify", "plot"}, labels)) == "good 41.9 %   plot\n");
  CHECK(place.output(with({"classify", "--logits", "plot"}, labels)) ==
        "good 41.9 %   good 0.25  bad -0.25  plot 0.00   plot\n");
  CHECK(place.json(with({"classify", "--format", "jsonl", "--multi-label", "plot"}, labels)) ==
        OrderedJson::parse(
            R"({"text":"plot","label":"good","probability":0.62245935,
                "labels":[{"label":"good","probability":0.62245935},
                          {"label":"plot","probability":0.5}],
                "probabilities":{"good":0.62245935,"bad":0.37754068,"plot":0.5},
                "logits":{"good":0.25,"bad":-0.25,"plot":0},"tokens":4})"));
  CHECK(
      place.output(with({"batch", "-", "--top-k", "2", "--logits"}, labels), "plot\ngood bad\n") ==
      R"({"id":0,"label":"good","probability":0.41922894,)"
      R"("labels":[{"label":"good","probability":0.41922894},)"
      R"({"label":"plot","probability":0.32649583}],)"
      R"("logits":{"good":0.25,"bad":-0.25,"plot":0}})"
      "\n"
      R"({"id":1,"label":"good","probability":0.40175956,)"
      R"("labels":[{"label":"good","probability":0.40175956},)"
      R"({"label":"plot","probability":0.3289329}],)"
      R"("logits":{"good":0.2,"bad":-0.2,"plot":0}})"
      "\n");
}

TEST_CASE("the bytes of zero-shot rows do not depend on threads or neighbours") {
  const ToyPlace place;
  place.add("nli", use_entailment_labels);
  const Arguments labels = {"-m", "nli", "--zero-shot", "good,bad,plot,movie", "--logits"};
  std::string rows;
  for (int i = 0; i < 200; ++i) rows += i % 7 == 0 ? "bad plot\n" : "a good movie a\n";
  const std::string alone = place.output(with({"batch", "-", "--threads", "1"}, labels), rows);
  CHECK(lines_of(alone).size() == 200);
  CHECK(place.output(with({"batch", "-", "--threads", "3"}, labels), rows) == alone);
}

TEST_CASE("only the premise of a long pair is cut, and a label that leaves no room is an error") {
  const ToyPlace place;
  place.add("nli", use_entailment_labels);
  const std::string long_text = "good good good good good good good good good good";
  const OrderedJson row = place.json({"classify", "-m", "nli", "--format", "jsonl", "--zero-shot",
                                      "bad,a plot", "--template", "{}", long_text});
  CHECK(row["tokens"] == 8);
  CHECK(row["truncated"] == 4);
  CHECK(row["logits"]["bad"] == 0.75F);  // 7 good, 1 bad
  const Outcome outcome = place.run(
      {"classify", "-m", "nli", "--zero-shot", "a a a a a a a a,b", "--template", "{}", "good"});
  CHECK(outcome.status == 3);
  check_last_reason(outcome, 3, "has no room next to the other text, which has 8 tokens");
}

TEST_CASE("a model that was not trained on entailment is refused by every command") {
  const ToyPlace place;
  place.files().write("rows.jsonl", R"({"text":"plot","label":"good"})");
  const std::vector<Arguments> commands = {
      {"classify", "plot"}, {"batch", "rows.txt"}, {"evaluate", "rows.jsonl"}, {"explain", "plot"}};
  for (const Arguments& command : commands) {
    INFO("command: " << command.front());
    check_refusal(place.run(with(command, {"-m", "toy", "--zero-shot", "good,bad"})), kUnusable,
                  "toy: |\"entail\"|negative, positive|trained on entailment (NLI)|--entailment");
  }
  check_refusal(
      place.run({"classify", "-m", "toy", "--zero-shot", "a,b", "--entailment", "yes", "good"}),
      kUnusable, "toy: has no label \"yes\"; its labels are negative, positive");
  place.add(
      "one", [](OrderedJson& config) { config["id2label"] = {"entailment"}; },
      [](std::vector<Tensor>& tensors) {
        tensor_of(tensors, "classifier.weight") =
            float_tensor("classifier.weight", {1, 4}, {1, 0, 0, 0});
        tensor_of(tensors, "classifier.bias") = float_tensor("classifier.bias", {1}, {0});
      });
  check_refusal(place.run({"classify", "-m", "one", "--zero-shot", "a,b", "good"}), kUnusable,
                "one: has one label|entailment (NLI)");
}

TEST_CASE("--entailment names the label of a checkpoint that only numbers them") {
  const ToyPlace place;
  place.add("nli", use_entailment_labels);
  place.add("numbered", [](OrderedJson& config) { config["id2label"] = {"LABEL_0", "LABEL_1"}; });
  const Arguments labels = {"classify", "--format", "jsonl",      "--zero-shot",
                            "good,bad", "plot",     "--template", "a {} movie"};
  const std::string named = place.output(with(labels, {"-m", "nli"}));
  CHECK(place.output(with(labels, {"-m", "numbered", "--entailment", "LABEL_1"})) == named);
  const Outcome guessed = place.run(with(labels, {"-m", "numbered"}));
  CHECK(guessed.out == named);
  CHECK(guessed.err ==
        "headlight: numbered: its labels have no names; LABEL_1 is used as entailment; "
        "--entailment LABEL names another\n");
  CHECK(place.output(with(labels, {"-m", "numbered", "--entailment", "LABEL_0"})) ==
        place.output(with(labels, {"-m", "nli", "--entailment", "contradiction"})));
  CHECK(place.output(with(labels, {"-m", "nli", "--entailment", "contradiction"})) != named);
}

TEST_CASE("what does not go with --zero-shot is a wrong command line") {
  struct Case {
    Arguments arguments;
    std::string reason;
  };
  const Case cases[] = {
      {{"--zero-shot", ""}, "--zero-shot has no label"},
      {{"--zero-shot", " , "}, "--zero-shot has no label"},
      {{"--zero-shot", "a,b, a"}, "--zero-shot has the label \"a\" twice"},
      {{"--zero-shot", "a", "--zero-shot", "a"}, "--zero-shot has the label \"a\" twice"},
      {{"--zero-shot", "a\xFF"}, "--zero-shot|not valid UTF-8 at byte 1"},
      {{"--zero-shot", "a", "--template", "about it"}, "--template|about it|expected one {}"},
      {{"--zero-shot", "a", "--template", "{} or {}"}, "--template|expected one {}"},
      {{"--zero-shot", "a", "--template", "{}\xFF"}, "--template|not valid UTF-8"},
      {{"--zero-shot", "a", "--pair", "b"}, "--zero-shot|--pair"},
      {{"--zero-shot", "a", "--ids"}, "--zero-shot|--ids"},
      {{"--zero-shot", "a", "--activation", "none"}, "--zero-shot|--activation"},
      {{"--template", "{}"}, "--template|--zero-shot"},
      {{"--multi-label"}, "--multi-label|--zero-shot"},
      {{"--entailment", "positive"}, "--entailment|--zero-shot"},
  };
  const ToyPlace place;
  for (const auto& [arguments, reason] : cases) {
    INFO("reason: " << reason);
    check_refusal(place.run(with({"classify", "-m", "toy", "good"}, arguments)), kWrongUsage,
                  reason);
  }
  check_refusal(place.run({"batch", "-", "-m", "toy", "--input-format", "jsonl", "--pair-text", "b",
                           "--zero-shot", "a"}),
                kWrongUsage, "--zero-shot|--pair-text");
}

std::string gliclass(const std::string& name) {
  return std::string(HEADLIGHT_TEST_DATA) + "/golden/gliclass/" + name;
}

TEST_CASE("a GLiClass model takes the labels of --zero-shot in classify, batch and evaluate") {
  const ToyPlace place;
  const Arguments model = {"-m", gliclass("deberta-mlp-mean-segments"), "--zero-shot", "a,b,ab a"};
  const OrderedJson row = place.json(with({"classify", "a b", "--format", "jsonl"}, model));
  CHECK(row["logits"].size() == 3);
  double sum = 0.0;
  for (const auto& [label, probability] : row["probabilities"].items()) {
    sum += probability.get<double>();
  }
  CHECK(sum == doctest::Approx(1.0));
  CHECK(
      place.json(with({"classify", "a b", "--format", "jsonl", "--multi-label", "-k", "2"}, model))
          .at("labels")
          .size() == 0);  // no score of the fixture is above 0.5
  std::string rows;
  for (int i = 0; i < 100; ++i) rows += i % 3 == 0 ? "ab\n" : "a b " + std::string(i, 'a') + "\n";
  const Arguments batch = with({"batch", "-", "--logits", "--quiet"}, model);
  const std::string alone = place.output(with(batch, {"--threads", "1"}), rows);
  CHECK(lines_of(alone).size() == 100);
  CHECK(place.output(with(batch, {"--threads", "3"}), rows) == alone);
  place.files().write("named.jsonl", R"({"text":"a","label":"b"})");
  CHECK(place.json(with({"evaluate", "named.jsonl", "--format", "json"}, model))["rows"] == 1);
  CHECK(place.output({"inspect", "-m", gliclass("deberta-mlp-mean-segments")})
            .find("family          GLiClass, GLiClassModel (deberta-v2)\n") != std::string::npos);
}

TEST_CASE("a GLiClass model is refused without labels, with too many, or with those of others") {
  const ToyPlace place;
  const Arguments model = {"-m", gliclass("modernbert-labels-first")};
  place.files().write("rows.jsonl", R"({"text":"a","label":"b"})"
                                    "\n"
                                    R"({"text":"b","label":"a"})");
  for (const Arguments& command :
       {Arguments{"classify", "a"}, {"batch", "rows.txt"}, {"evaluate", "rows.jsonl"}}) {
    check_refusal(place.run(with(command, model)), kUnusable,
                  "modernbert-labels-first: has no labels of its own|--zero-shot LABEL,...");
  }
  check_last_reason(place.run(with({"fit", "rows.jsonl", "-o", "fitted"}, model)), kUnusable,
                    "config.json: reads labels with each text");
  const Arguments classify = with({"classify", "a", "--zero-shot", "b"}, model);
  check_refusal(place.run(with(classify, {"--template", "about {}"})), kWrongUsage,
                "--template and --entailment are for models trained on entailment; modernbert");
  check_refusal(place.run(with(classify, {"--entailment", "yes"})), kWrongUsage,
                "--template and --entailment are for models trained on entailment; modernbert");
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "b" + std::to_string(i) + ",";
  check_refusal(place.run(with({"batch", "rows.txt", "--zero-shot", many}, model)), kUnusable,
                "the 5000 labels of --zero-shot|in the 512 that are read at once; the first");
}

}  // namespace
}  // namespace headlight::zero_shot_test
