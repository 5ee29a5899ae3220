// headlight explain --rows: the rows of the training file that pushed a verdict, and every way to
// be refused.
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::training_rows_test {
namespace {

namespace fs = std::filesystem;

/// Texts of "good" and "bad" among words without meaning; the last row has the wrong label.
std::string rows_of(const std::string& yes, const std::string& no) {
  const std::vector<std::string> others = {"movie", "a", "plot", "a movie", "plot a"};
  std::string rows = "id,text,label\n";
  for (int i = 0; i < 30; ++i) {
    const std::string word = i % 2 == 0 ? "good" : "bad";
    rows += "r" + std::to_string(i) + ',' + word + ' ' + others[static_cast<std::size_t>(i) % 5];
    for (int j = 0; j < i / 6; ++j) rows += ' ' + word;
    rows += ',' + (i % 2 == 0 ? yes : no) + '\n';
  }
  return rows + "wrong,good plot a," + no + '\n';
}

const Arguments kFit = {"fit", "rows.csv", "-m", "toy", "-o", "made", "--penalty", "5"};
const Arguments kHead = {"--train", "head"};
const Arguments kExplain = {"explain", "-m", "./made", "--rows", "rows.csv", "good plot"};
const Arguments kJson = {"--format", "json"};

/// A place with a model that was fitted to rows.csv.
ToyPlace& fitted(ToyPlace& place, const Arguments& more = kHead) {
  place.files().write("rows.csv", rows_of("praise", "blame"));
  place.run(with(kFit, more));
  return place;
}

double logit(const ToyPlace& place, const std::string& model, const std::string& label) {
  return place.json({"classify", "-m", model, "--format", "json", "good plot"})[0]["logits"][label];
}

TEST_CASE("the effect of a row is about the change of the logits after training without it") {
  ToyPlace place;
  fitted(place);
  const OrderedJson document = place.json(with(kExplain, with(kJson, {"-k", "31"})));
  const OrderedJson& found = document["training_rows"];
  REQUIRE(found.size() == 31);
  CHECK(!document["words"].empty());
  CHECK(!document.contains("last_layer_only"));
  CHECK(found[0]["id"] == "wrong");
  CHECK(found[0]["text"] == "good plot a");
  CHECK(found[0]["label"] == "blame");
  CHECK(found[0]["effect"]["praise"].get<double>() < 0.0);

  std::string without = rows_of("praise", "blame");
  without.erase(without.find("wrong,"));
  place.files().write("without.csv", without);
  place.run(
      {"fit", "without.csv", "-m", "toy", "--train", "head", "-o", "other", "--penalty", "5"});
  for (const char* label : {"praise", "blame"}) {
    const double change = logit(place, "./made", label) - logit(place, "./other", label);
    CHECK(found[0]["effect"][label].get<double>() == doctest::Approx(change).epsilon(0.05));
  }
}

TEST_CASE("rows are listed as text, ten unless -k says more, and on a page") {
  ToyPlace place;
  fitted(place);
  const auto lines = lines_of(place.output(kExplain));
  const auto heading =
      std::ranges::find(lines, "training rows that pushed praise most") - lines.begin();
  REQUIRE(lines.size() == static_cast<std::size_t>(heading) + 12);
  CHECK(lines[static_cast<std::size_t>(heading) + 1].starts_with("effect  its label  row  text"));
  CHECK(lines[static_cast<std::size_t>(heading) + 2].ends_with("  blame      30   good plot a"));
  CHECK(lines_of(place.output(with(kExplain, {"-k", "3"}))).size() < lines.size());
  CHECK(place.output(with(kExplain, {"--format", "html"})).find("<h2>Training rows</h2>") !=
        std::string::npos);
}

TEST_CASE(
    "what was computed is kept beside the model, not trusted if damaged, and dropped by fit") {
  ToyPlace place;
  fitted(place);
  const std::string first = place.output(with(kExplain, {"--threads", "1"}));
  const std::string inverse = place.files().read("made.influence");
  CHECK(place.files().read("made.rows.vectors").starts_with("headlight vectors "));
  CHECK(place.output(with(kExplain, {"--threads", "3"})) == first);
  std::string damaged = inverse;
  damaged[damaged.size() / 2] ^= 1;
  place.files().write("made.influence", damaged);
  CHECK(place.output(kExplain) == first);
  CHECK(place.files().read("made.influence") == inverse);
  place.files().write("made.influence", "of another program");
  check_refusal(place.run(kExplain), 1, "made.influence|was not written by headlight|rename it");
  place.files().write("made.influence", inverse);
  place.run(with(kFit, {"--train", "head", "--force"}));
  CHECK(!fs::exists(place.files() / "made.influence"));
  CHECK(!fs::exists(place.files() / "made.rows.vectors"));
}

TEST_CASE("a model in a folder that cannot be written is explained, and nothing is kept") {
  ToyPlace place;
  fitted(place);
  const std::string expected = place.output(kExplain);
  const std::string longest(250, 'm');  // with an ending, more than a file system takes
  fs::rename(place.files() / "made", place.files() / longest);
  Arguments explain = kExplain;
  explain[2] = "./" + longest;
  const Outcome outcome = place.run(explain);
  CHECK(outcome.status == 0);
  CHECK(outcome.out == expected);
  CHECK(outcome.err.find("name too long, so nothing is kept beside the model") !=
        std::string::npos);
  for (const char* ending : {".rows.vectors", ".influence"}) {
    CHECK_FALSE(place.files().has(longest + ending));
  }
}

TEST_CASE("any bytes in a kept file give the same answer, or one line") {
  ToyPlace place;
  fitted(place);
  const Arguments fit =
      with(kFit, {"--train", "head", "--force", "--vectors", "kept.vectors", "-q"});
  const std::string trained = place.output(fit);
  const std::string explained = place.output(kExplain);
  struct Kept {
    const char* name;
    Arguments run;
    std::string expected;
  };
  for (const auto& [name, run, expected] :
       {Kept{"made.rows.vectors", kExplain, explained}, Kept{"made.influence", kExplain, explained},
        Kept{"kept.vectors", fit, trained}}) {
    const std::string whole = place.files().read(name);
    const std::size_t record = (whole.size() - 64) / 2 / 4 * 4;
    std::vector<std::string> broken = {"",
                                       whole.substr(0, 30),
                                       whole.substr(0, 64),
                                       whole + whole.substr(64),
                                       whole + "x",
                                       whole + whole.substr(whole.size() - record)};
    for (std::size_t i = 0; i < 12; ++i) {
      const std::size_t at = i < 4 ? i * 20 : whole.size() * i / 12;
      broken.push_back(whole);
      broken.back()[at] = static_cast<char>(broken.back()[at] ^ (1 << i % 8));
      broken.push_back(whole.substr(0, at));
    }
    for (std::size_t i = 0; i < broken.size(); ++i) {
      INFO(name << " " << i);
      place.files().write(name, broken[i]);
      const Outcome outcome = place.run(run);
      CHECK(outcome.complaint() == "");
      if (outcome.status == 0) {
        CHECK(outcome.out == expected);
      } else {
        check_refusal(outcome, 1, name);
      }
      place.files().write(name, whole);
    }
  }
}

TEST_CASE("other rows, other fields of them and models without a record are refused") {
  ToyPlace place;
  fitted(place);
  place.files().write("longer.csv", rows_of("praise", "blame") + "x,good,praise\n");
  Arguments longer = kExplain;
  longer[4] = "longer.csv";
  check_refusal(place.run(longer), 1,
                "longer.csv|not the file that made was trained on: found 32 rows|expected 31 rows");
  check_refusal(place.run(with(kExplain, {"--limit", "9"})), 1, "found 9 rows");
  check_refusal(place.run(with(kExplain, {"--text", "id"})), 1,
                "rows.csv|other texts or labels are read of them|README.md");
  Arguments toy = kExplain;
  toy[2] = "toy";
  check_refusal(place.run(toy), 1, "toy|has no training.json|train it again");
  place.files().write("made/training.json", "{\"file\": 1}");
  check_refusal(place.run(kExplain), 1, "training.json|file|found 1");
}

TEST_CASE("options that do not go with --rows are refused") {
  const ToyPlace place;
  check_refusal(place.run(with(kExplain, {"--input", "rows.csv"})), 2, "--rows|--input");
  check_refusal(place.run(with(kExplain, {"--zero-shot", "a,b"})), 2, "--rows|--zero-shot");
  check_refusal(place.run(with(kExplain, {"--precision", "int8"})), 2, "--rows|--precision");
  check_refusal(place.run({"explain", "-m", "toy", "--label", "x", "good"}), 2, "--label|--rows");
  check_refusal(place.run({"explain", "-m", "toy", "-k", "3", "--format", "json", "good"}), 2,
                "--top-k|--rows|JSON has all words");
  check_refusal(place.run({"explain", "-m", "toy", "--rows", "rows.txt", "good"}), 2,
                "rows.txt|text lines, which have no labels");
}

TEST_CASE("several labels, values and models that were trained as a whole have training rows") {
  ToyPlace place;
  fitted(place, {"--train", "all", "--epochs", "2"});
  const OrderedJson whole = place.json(with(kExplain, kJson));
  CHECK(whole["last_layer_only"] == true);
  CHECK(whole["training_rows"].size() == 10);
  CHECK(place.output(kExplain).find("that layer alone") != std::string::npos);

  place.files().write("rows.csv", rows_of("3.5", "1"));
  place.run(with(kFit, {"--train", "head", "--regression", "--force"}));
  const OrderedJson value = place.json(with(kExplain, kJson))["training_rows"];
  CHECK(value[0]["label"] == "1");
  CHECK(value[0]["effect"]["value"].get<double>() < 0.0);

  place.files().write("rows.csv", rows_of("yes|fine", "no"));
  place.run(with(kFit, {"--train", "head", "--force"}));
  const OrderedJson several = place.json(with(kExplain, kJson))["training_rows"];
  CHECK(several[0]["effect"].size() == 3);
  CHECK(place.output(kExplain).find("that pushed fine, yes most") != std::string::npos);
  const std::string without_scores = place.output(with(kExplain, {"--activation", "none"}));
  CHECK(without_scores.find("that pushed fine most") != std::string::npos);
}

TEST_CASE("a model records what its last layer was fitted to") {
  ToyPlace place;
  fitted(place);
  const std::string record = place.files().read("made/training.json");
  const OrderedJson facts = OrderedJson::parse(record);
  CHECK(facts["file"] == "rows.csv");
  CHECK(facts["penalty"] == 5);
  CHECK(facts["train"] == "head");
  CHECK(facts["held_out"].empty());
  CHECK(place.files().read("made/README.md").find(facts["file_mark"].get<std::string>()) !=
        std::string::npos);
  place.run(with(kFit, {"--train", "head", "--force", "--threads", "3"}));
  CHECK(place.files().read("made/training.json") == record);
  place.run(with(kFit, {"--force", "--train", "all", "--epochs", "1"}));
  CHECK(!OrderedJson::parse(place.files().read("made/training.json"))["held_out"].empty());
}

}  // namespace
}  // namespace headlight::training_rows_test
