// headlight fit --train ngrams, and what other commands do with its model.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::label_ngrams_program_test {
namespace {

/// Order alone tells the labels apart, which the toy's mean of two words does not see.
constexpr const char* kRows =
    "text,label,topics,score\n"
    "good bad,up,a|b,1\nbad good,down,b|c,2\ngood good bad,up,a|c,3\nbad good good,down,a,4\n"
    "good bad bad,up,a|b,5\nbad bad good,down,c|b,6\n";

Outcome fit(const ToyPlace& place, const Arguments& more) {
  return place.run(with({"fit", "rows.csv", "--train", "ngrams", "-q"}, more));
}

double accuracy(const ToyPlace& place, const std::string& model) {
  return place
      .json({"evaluate", "rows.csv", "-m", "./" + model, "--format", "json", "-q"})["accuracy"]
      .get<double>();
}

TEST_CASE("a last layer beside n-grams sees pairs, the same with any number of threads") {
  const ToyPlace place;
  place.files().write("rows.csv", kRows);
  for (const std::string threads : {"1", "2", "3"}) {
    REQUIRE(fit(place, {"-m", "toy", "--dev-share", "0", "--penalty", "0.001", "-o",
                        "made" + threads, "--threads", threads})
                .status == 0);
    CHECK(place.files().read("made" + threads + "/model.safetensors") ==
          place.files().read("made1/model.safetensors"));
  }
  CHECK(accuracy(place, "made1") == 1.0);
  CHECK(place.files().read("made1/README.md").find("n-grams of one and two tokens") !=
        std::string::npos);
  const OrderedJson config = OrderedJson::parse(place.files().read("made1/config.json"));
  CHECK(config["label_ngram_sizes"] == OrderedJson({1, 2}));
  CHECK(place.output({"inspect", "-m", "./made1"}).find("label n-grams") != std::string::npos);

  // Another training of it replaces layer and n-grams.
  REQUIRE(place
              .run({"fit", "rows.csv", "-m", "./made1", "--train", "head", "--dev-share", "0", "-o",
                    "again", "-q"})
              .status == 0);
  CHECK(place.files().read("again/config.json").find("label_ngram") == std::string::npos);
}

TEST_CASE("development rows are measured as the written model scores them") {
  const ToyPlace place;
  place.files().write("rows.csv", kRows);
  for (const Arguments& kind : std::vector<Arguments>{{}, {"--label", "topics"}}) {
    const Arguments training = {"-m",   "toy",      "--dev", "rows.csv", "-o",
                                "made", "--format", "json",  "-f"};
    const Outcome run = fit(place, with(training, kind));
    REQUIRE(run.status == 0);
    const OrderedJson found =
        place.json(with({"evaluate", "rows.csv", "-m", "./made", "--format", "json", "-q"}, kind));
    const char* name = kind.empty() ? "accuracy" : "micro_f1";
    CHECK(OrderedJson::parse(run.out)["development"][name] == found[name]);
  }
  REQUIRE(fit(place, {"-m", "toy", "--label", "score", "--regression", "--dev-share", "0", "-o",
                      "numbers"})
              .status == 0);
}

TEST_CASE("explanations of a model with n-grams of labels reach them") {
  const ToyPlace place;
  place.files().write("rows.csv", kRows);
  REQUIRE(
      fit(place, {"-m", "toy", "--dev-share", "0", "--penalty", "0.001", "-o", "made"}).status ==
      0);
  for (const std::string method : {"occlusion", "gradient", "integrated-gradients", "lrp"}) {
    CAPTURE(method);
    const OrderedJson found = place.json(
        {"explain", "good bad", "-m", "./made", "--method", method, "--format", "json", "-q"});
    CHECK(found.dump().find("null") == std::string::npos);
  }
  const std::string rows =
      place.output({"explain", "good bad", "-m", "./made", "--rows", "rows.csv", "-q"});
  CHECK(rows.find("More than the last layer") != std::string::npos);
  CHECK(rows.find("good bad") != std::string::npos);
}

TEST_CASE("n-grams beside a last layer are refused where they cannot be") {
  struct Case {
    Arguments arguments;
    int status;
    const char* reason;
  };
  const ToyPlace place;
  place.files().write("rows.csv", kRows);
  place.files().write("bare.json", place.files().read("toy/config.json"));
  std::string many = "text,label\n";
  for (int i = 0; i < 34; ++i) many += "good,label" + std::to_string(i % 17) + "\n";
  place.files().write("many.csv", many);
  const std::vector<Case> cases = {
      {{"-m", "bare.json"}, 1, "bare.json|has no weights|--train ngrams"},
      {{"-m", "toy", "--long", "window"}, 1, "config.json|windows|--long truncate"},
      {{"-m", "toy", "--keep-layers", "0"}, 2, "--keep-layers|--train all"},
      {{"many.csv", "-m", "toy"}, 1, "19 labels|at most 16|--train head"}};
  for (const Case& refused : cases) {
    CAPTURE(refused.reason);
    check_refusal(fit(place, with(refused.arguments, {"-o", "made"})), refused.status,
                  refused.reason);
  }
}

}  // namespace
}  // namespace headlight::label_ngrams_program_test
