// headlight fit --train static, and what the other commands make of such a model.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/adds_up.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::static_test {
namespace {

using Arguments = std::vector<std::string>;

/// Two labels that only pairs of words tell apart.
std::string rows() {
  std::string rows = "text,label\n";
  const std::vector<std::string> fillers = {"a", "the", "one", "this", "my", "our", "no", "any"};
  for (int round = 0; round < 3; ++round) {
    for (const std::string& filler : fillers) {
      rows += filler + " red cup and blue pan,first\n" + filler + " blue cup and red pan,second\n";
    }
  }
  return rows;
}

Outcome fit(const ToyPlace& place, const Arguments& more) {
  Arguments arguments = {"fit", "rows.csv", "--train", "static", "--dev-share", "0", "-q"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return place.run(arguments);
}

/// What the words of a text do is exact, and adds up to the logits. Returns the explanation.
OrderedJson explain_exactly(const ToyPlace& place, const std::string& model,
                            const std::string& text) {
  const OrderedJson found = place.json({"explain", "-m", model, "--format", "json", text});
  check_adds_up(found, "bias_share");
  return found;
}

TEST_CASE("fit --train static learns pairs of words, the same with any number of threads") {
  const ToyPlace place;
  place.files().write("rows.csv", rows());
  for (const std::string threads : {"1", "3"}) {
    REQUIRE(fit(place, {"-o", "made" + threads, "--threads", threads}).status == 0);
  }
  CHECK(place.files().read("made1/model.safetensors") ==
        place.files().read("made3/model.safetensors"));
  const OrderedJson found =
      place.json({"evaluate", "rows.csv", "-m", "./made1", "--format", "json", "-q"});
  CHECK(found["accuracy"] == 1.0);
  const OrderedJson facts = place.json({"inspect", "-m", "./made1", "--format", "json"});
  CHECK(facts["layers"] == 0);
}

/// Texts without blanks, each another one, with what tells the labels apart within.
std::string rows_without_blanks() {
  std::string rows = "text,label\n";
  const std::vector<std::string> around = {"ア", "イ", "ウ", "エ", "オ", "カ", "キ", "ク"};
  for (std::size_t i = 0; i < 64; ++i) {
    const std::string& before = around[i % 8];
    const std::string& after = around[i / 8];
    rows += before + after + "サッカー" + after + ",sport\n" + before + after + "ビョウイン" +
            after + ",music\n";
  }
  return rows;
}

TEST_CASE("texts without blanks are read by n-grams of their characters, which add up exactly") {
  const ToyPlace place;
  place.files().write("rows.csv", rows_without_blanks());
  REQUIRE(fit(place, {"-o", "made"}).status == 0);
  REQUIRE(fit(place, {"-o", "small", "--store", "int8"}).status == 0);
  CHECK(place.files().read("made/README.md").find("n-grams of characters were kept") !=
        std::string::npos);
  for (const std::string model : {"./made", "./small"}) {
    const OrderedJson found =
        place.json({"evaluate", "rows.csv", "-m", model, "--format", "json", "-q"});
    CHECK(found["accuracy"] == 1.0);
    CHECK(explain_exactly(place, model, "ノサッカーノ ノ")["label"] == "sport");
  }
  REQUIRE(fit(place, {"-o", "again", "-m", "./made"}).status == 0);  // with the same tokenizer
  explain_exactly(place, "./again", "ノサッカーノ ノ");
  const OrderedJson tokens =
      place.json({"tokenize", "-m", "./made", "--format", "json", "サッカー"});
  CHECK(tokens.dump().find("\"サッカー>\"") != std::string::npos);
}

/// The number after `what` in the text.
double number_after(const std::string& text, const std::string& what) {
  const std::size_t found = text.find(what);
  REQUIRE(found != std::string::npos);
  return std::stod(text.substr(found + what.size()));
}

TEST_CASE("the way to read words that has the lowest loss on the development rows is kept") {
  const ToyPlace place;
  std::string many = "text,label\n";
  for (std::size_t i = 0; i < 1200; ++i) {
    const std::string number = std::to_string(i * 7 % 1200);
    many += number + (i % 3 == 0 ? " seldom colours" : " often colors") +
            (i % 2 == 0 ? " walk," : " walking,") +
            ((i % 2 == 0) == (i % 11 > 0) ? "first\n" : "second\n");
  }
  place.files().write("rows.csv", many);
  const Outcome made = place.run({"fit", "rows.csv", "--train", "static", "-o", "made"});
  REQUIRE(made.status == 0);
  const double pieces = number_after(made.err, "loss of word pieces ");
  const double words = number_after(made.err, "of whole words ");
  const double characters = number_after(made.err, "of words with their n-grams of characters ");
  const OrderedJson config = OrderedJson::parse(place.files().read("made/config.json"));
  const OrderedJson& tokenizer = config["tokenizer"];
  CHECK((tokenizer["type"] == "wordpiece") == (pieces <= std::min(words, characters)));
  CHECK(tokenizer.contains("character_ngrams") == (characters < std::min(pieces, words)));
}

TEST_CASE("a static model is small unasked, and its logits are hardly those of --store f32") {
  const ToyPlace place;
  place.files().write("rows.csv", rows());
  REQUIRE(fit(place, {"-o", "made", "--store", "f32"}).status == 0);
  REQUIRE(fit(place, {"-o", "small"}).status == 0);
  CHECK(place.files().read("small/model.safetensors").size() * 3 <
        place.files().read("made/model.safetensors").size());
  const auto logit = [&](const std::string& model) {
    return place
        .json({"classify", "-m", model, "--format", "json", "my red cup"})[0]["logits"]["first"]
        .get<double>();
  };
  CHECK(logit("./small") == doctest::Approx(logit("./made")).epsilon(0.05));
  check_refusal(place.run({"fit", "rows.csv", "--train", "head", "-m", "toy", "--store", "int8",
                           "-o", "other"}),
                2, "--store");
}

TEST_CASE("the words of a static model add up to its logits, and it has no attention") {
  const ToyPlace place;
  place.files().write("rows.csv", rows());
  REQUIRE(fit(place, {"-o", "made"}).status == 0);
  explain_exactly(place, "./made", "my red cup and unseen pan");
  check_refusal(place.run({"attention", "-m", "./made", "red cup"}), 1,
                "made/config.json|without any attention|headlight explain");
  check_refusal(place.run({"export", "-m", "./made", "--layout", "bert", "-o", "out"}), 1,
                "made/config.json|no counterpart");
  check_refusal(fit(place, {"-o", "toy", "-m", "toy", "--force"}), 1,
                "toy|is the model to start from|another directory");
  const Outcome student = fit(place, {"-o", "student", "-m", "toy"});
  CHECK(student.status == 0);
  CHECK(place.files().read("student/README.md").find("| start | toy |") != std::string::npos);
  explain_exactly(place, "./student", "my red cup and unseen pan");
  check_refusal(place.run({"attention", "-m", "./student", "red cup"}), 1,
                "student/config.json|without any attention|headlight explain");
}

}  // namespace
}  // namespace headlight::static_test
