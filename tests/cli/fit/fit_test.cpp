// headlight fit: labelled rows in, a model directory out, and every way to be refused.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::fit_test {
namespace {

namespace fs = std::filesystem;

/// Texts of "good" and "bad" among words without meaning, labelled by which of the two is there.
std::string verdict_rows(int count, const std::string& yes = "praise",
                         const std::string& no = "blame") {
  const std::vector<std::string> others = {"movie", "a", "plot", "a movie", "plot a"};
  std::string rows = "text,label\n";
  for (int i = 0; i < count; ++i) {
    const std::string& other = others[static_cast<std::size_t>(i / 2) % others.size()];
    const std::string word = i % 2 == 0 ? "good" : "bad";
    rows += word + ' ' + other + (i % 3 == 0 ? " a " : " ") + word;
    for (int j = 0; j < i / 10; ++j) rows += ' ' + word;
    rows += ',' + (i % 2 == 0 ? yes : no) + '\n';
  }
  return rows;
}

const Arguments kTried = {"fit", "rows.csv", "-m", "toy", "-o", "made"};
const Arguments kFit = {"fit", "rows.csv", "-m", "toy", "--train", "head", "-o", "made"};

/// The toy reads words as vectors of "good" and "bad", so a head can be fitted to it.
ToyPlace& with_rows(ToyPlace& place) {
  place.files().write("rows.csv", verdict_rows(40));
  return place;
}

std::string label_of(const ToyPlace& place, const std::string& text) {
  return place.json({"classify", "-m", "./made", "--format", "json", text})[0]["label"];
}

TEST_CASE("a fitted model classifies, and its directory has all that it needs") {
  ToyPlace place;
  with_rows(place);
  const Outcome outcome = place.run(kFit);
  check_sane(outcome);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.out.find("training rows           36 of rows.csv\n") != std::string::npos);
  CHECK(outcome.out.find("accuracy                100.0 %") != std::string::npos);
  CHECK(outcome.err.ends_with(
      "headlight: wrote made\nheadlight: try: headlight classify -m ./made \"…\"\n"));
  CHECK(label_of(place, "good plot") == "praise");
  CHECK(label_of(place, "a bad movie") == "blame");
  CHECK(fs::exists(place.files() / "made/README.md"));
  CHECK(!fs::exists(place.files() / "made.partial"));
  CHECK(!fs::exists(place.files() / "made.vectors"));
  const OrderedJson config = OrderedJson::parse(place.files().read("made/config.json"));
  CHECK(config["id2label"] == OrderedJson({{"0", "blame"}, {"1", "praise"}}));
  CHECK(config["hidden_size"] ==
        OrderedJson::parse(place.files().read("toy/config.json"))["hidden_size"]);
}

TEST_CASE("a card begins with fields for hubs, each a value of JSON, which is YAML too") {
  ToyPlace place;
  with_rows(place);
  place.output(with(kFit, {"--license", "mit", "--card-field", "tags=a: \"b\"\n---", "--card-field",
                           "base_model=x"}));
  const std::string card = place.files().read("made/README.md");
  REQUIRE(card.starts_with("---\n"));
  const std::string fields = card.substr(4, card.find("\n---\n\n# made\n") - 4);
  std::map<std::string, OrderedJson> found;
  for (const std::string& line : lines_of(fields)) {
    const std::size_t end = line.find(": ", line.starts_with('"') ? line.find('"', 1) : 0);
    found[line.substr(0, end)] = OrderedJson::parse(line.substr(end + 2));
  }
  CHECK(found["\"license\""] == "mit");
  CHECK(found["\"tags\""] == "a: \"b\"\n---");
  CHECK(found["\"base_model\""] == "x");
  CHECK(found["\"library_name\""] == "headlight");
  CHECK(found["\"pipeline_tag\""] == "text-classification");
  const OrderedJson& results = found["model-index"][0]["results"][0];
  CHECK(results["metrics"][0]["type"] == "accuracy");
  CHECK(results["metrics"][0]["value"] == 1.0);
  CHECK(place.run(with(kFit, {"--card-field", "mit", "--force"})).status == 2);
  const std::string key(1100, 'x');  // YAML has 1,024 characters before a colon
  place.output(with(kFit, {"--card-field", key + "=#", "--card-field", "model-index=none",
                           "--card-field", "on=\xEF\xBF\xBE\xC2\x85'", "--force"}));
  const std::string odd = place.files().read("made/README.md");
  CHECK(odd.find("\n? \"" + key + "\"\n: \"#\"\n") != std::string::npos);
  CHECK(odd.find("\n\"on\": \"\\ufffe\\u0085'\"\n") != std::string::npos);
  CHECK(odd.find("\nmodel-index: ") == std::string::npos);
}

TEST_CASE("rows that were held out are trained on in the end") {
  ToyPlace place;
  with_rows(place);
  const auto logit_of_refit = [&](const char* seed) {
    place.output(with(kFit, {"--seed", seed, "--force"}));
    CHECK(place.files().read("made/README.md").find("then the last layer was fitted to all rows") !=
          std::string::npos);
    const Arguments classify = {"classify", "-m", "./made", "--logits", "--format", "json", "good"};
    return place.json(classify)[0]["logits"].front().get<double>();
  };
  CHECK(logit_of_refit("0") == doctest::Approx(logit_of_refit("3")).epsilon(1e-4));

  place.files().write("dev.csv", verdict_rows(4));
  place.output(with(kFit, {"--dev", "dev.csv", "--force"}));
  CHECK(place.files().read("made/README.md").find("fitted to all rows") == std::string::npos);
}

TEST_CASE("the same bytes for any number of threads") {
  for (const Arguments& run : {kFit, kTried}) {
    ToyPlace place;
    with_rows(place);
    std::vector<std::string> weights;
    std::vector<std::string> cards;
    for (const char* threads : {"1", "2", "3"}) {
      place.output(with(run, {"--threads", threads, "--force"}));
      weights.push_back(place.files().read("made/model.safetensors"));
      cards.push_back(place.files().read("made/README.md"));
    }
    CHECK(weights[1] == weights[0]);
    CHECK(weights[2] == weights[0]);
    CHECK(cards[1] == cards[0]);
    CHECK(cards[2] == cards[0]);
  }
}

TEST_CASE("what was tried is in the summary, the JSON and the card") {
  ToyPlace place;
  with_rows(place);
  const std::string text = place.output(kTried);
  CHECK(text.find("  log loss  seconds") != std::string::npos);
  CHECK(text.find(" (kept) ") != std::string::npos);
  CHECK(place.files().read("made/README.md").find("## What was tried") != std::string::npos);
  const OrderedJson made = place.json(with(kTried, {"--force", "--format", "json"}));
  std::vector<std::string> names;
  for (const OrderedJson& each : made["candidates"]) {
    names.push_back(each["train"]);
    CHECK(each["interval"][0] <= each["score"]);
    if (each["chosen"] == false) continue;
    CHECK(each["score"] == made["development"]["accuracy"]);
    CHECK(each["log_loss"] == made["development"]["log_loss"]);
  }
  std::ranges::sort(names);
  CHECK(names == std::vector<std::string>{"contrastive", "head", "static"});
  check_refusal(place.run(with(kTried, {"--force", "--log", "log.jsonl"})), 2, "--log|--train");
  check_refusal(place.run(with(kFit, {"--force", "--minutes", "3"})), 2, "--minutes|--train auto");
}

TEST_CASE("integers as labels are numbered by value") {
  ToyPlace place;
  place.files().write("rows.csv", verdict_rows(40, "10", "9"));
  place.output(kFit);
  const OrderedJson config = OrderedJson::parse(place.files().read("made/config.json"));
  CHECK(config["id2label"] == OrderedJson({{"0", "9"}, {"1", "10"}}));
}

TEST_CASE("several labels per row make a multi-label model") {
  ToyPlace place;
  std::string rows = "text,label\n";
  for (int i = 0; i < 30; ++i) {
    const char* kinds[] = {"good,yes\n", "bad,no\n", "good bad good bad,yes|no\n"};
    rows += (i < 10 ? "a " : i < 20 ? "plot " : "movie ") + std::string(kinds[i % 3]);
  }
  place.files().write("rows.csv", rows);
  place.output(with(kFit, {"--dev-share", "0"}));
  const OrderedJson config = OrderedJson::parse(place.files().read("made/config.json"));
  CHECK(config["problem_type"] == "multi_label_classification");
  CHECK(config["id2label"] == OrderedJson({{"0", "no"}, {"1", "yes"}}));
}

TEST_CASE("--regression learns numbers") {
  ToyPlace place;
  std::string rows = "text\tscore\n";
  for (int i = 1; i <= 40; ++i) {
    std::string text = "a";
    for (int j = 0; j < i % 5; ++j) text += " good";
    for (int j = 0; j < i % 4; ++j) text += " bad";
    const double score = (i % 5 - i % 4) / (1.0 + i % 5 + i % 4);
    rows += text + '\t' + std::to_string(score) + '\n';
  }
  place.files().write("rows.tsv", rows);
  const OrderedJson made = place.json({"fit", "rows.tsv", "-m", "toy", "--label", "score",
                                       "--regression", "-o", "made", "--format", "json"});
  CHECK(made["development"]["mse"] < 0.01);
  const OrderedJson found =
      place.json({"classify", "-m", "./made", "--format", "json", "good good"});
  CHECK(found[0]["value"] > 0.5);
}

TEST_CASE("development rows come from a file, in another format") {
  ToyPlace place;
  with_rows(place);
  place.files().write("dev.jsonl",
                      "{\"text\": \"good good good movie\", \"label\": \"praise\"}\n"
                      "{\"text\": \"bad\", \"label\": \"blame\"}\n"
                      "{\"text\": \"good\", \"label\": \"blame\"}\n");
  const OrderedJson made = place.json(with(kFit, {"--dev", "dev.jsonl", "--format", "json"}));
  CHECK(made["train_rows"] == 40);
  CHECK(made["dev_rows"] == 3);
  CHECK(made["development"]["accuracy"] == doctest::Approx(2.0 / 3.0));
  CHECK(!fs::exists(place.files() / "made/calibration.json"));  // of so few rows
}

TEST_CASE("rows that cannot be used are counted and shown, and change the status") {
  ToyPlace place;
  place.files().write("rows.csv", verdict_rows(40) + "good,\n\"\",praise\nunknownword,blame\n");
  const Outcome outcome = place.run(kFit);
  CHECK(outcome.status == 3);
  CHECK(outcome.err.find("rows.csv: 2 of 43 rows cannot be used; first error: row 41 (line 43): "
                         "the text is missing") != std::string::npos);
  const Outcome allowed = place.run(with(kFit, {"--force", "--row-errors-ok"}));
  CHECK(allowed.status == 0);
}

TEST_CASE("the log has a line for each strength") {
  ToyPlace place;
  with_rows(place);
  place.output(with(kFit, {"--log", "log.jsonl"}));
  const std::vector<std::string> lines = lines_of(place.files().read("log.jsonl"));
  REQUIRE(lines.size() > 2);
  CHECK(OrderedJson::parse(lines[0]).contains("strength"));
  CHECK(OrderedJson::parse(lines[0]).contains("dev_loss"));
}

TEST_CASE("a new head keeps the layout of a model that has one") {
  ToyPlace place;
  with_rows(place);
  place.output(kFit);
  OrderedJson before = OrderedJson::parse(place.files().read("toy/config.json"));
  OrderedJson after = OrderedJson::parse(place.files().read("made/config.json"));
  for (OrderedJson* config : {&before, &after}) {
    config->erase("id2label");
    config->erase("problem_type");
  }
  CHECK(after == before);
}

TEST_CASE("an existing model is kept, and replaced with --force") {
  ToyPlace place;
  with_rows(place);
  place.output(kFit);
  check_refusal(place.run(kFit), 1, "made|exists already|--force replaces the model");
  place.output(with(kFit, {"--force"}));
  place.files().write("made/thesis.txt", "important");
  check_refusal(place.run(with(kFit, {"--force"})), 1,
                "made|has files of other kinds, such as thesis.txt");
  CHECK(place.files().read("made/thesis.txt") == "important");
}

TEST_CASE("vectors that are not those of the rows are replaced, but not continued") {
  ToyPlace place;
  with_rows(place);
  place.files().write("made.vectors", "headlight vectors of other rows");
  check_last_reason(place.run(with(kFit, {"--resume"})), 1,
                    "made.vectors|has vectors of other rows or of another model");
  place.output(kFit);
  CHECK(!fs::exists(place.files() / "made.vectors"));
}

TEST_CASE("files that others have beside the output are kept, and replaced with --force") {
  for (const char* name : {"made.vectors", "made.checkpoint", "made.checkpoint-2"}) {
    CAPTURE(name);
    ToyPlace place;
    with_rows(place);
    place.files().write(name, "mine");
    const std::string reason = std::string(name) + "|was not written by headlight fit";
    check_refusal(place.run(kFit), 1, reason);
    check_refusal(place.run(with(kFit, {"--resume"})), 1, reason);
    CHECK(place.files().read(name) == "mine");
    place.output(with(kFit, {"--force"}));
  }
}

TEST_CASE("a directory of others that is named like an unfinished output is always kept") {
  ToyPlace place;
  with_rows(place);
  fs::create_directory(place.files() / "made.partial");
  place.files().write("made.partial/thesis.txt", "important");
  check_refusal(place.run(kFit), 1, "made.partial|has thesis.txt");
  check_refusal(place.run(with(kFit, {"--force"})), 1, "made.partial|has thesis.txt");
  CHECK(place.files().read("made.partial/thesis.txt") == "important");
  fs::rename(place.files() / "made.partial/thesis.txt",
             place.files() / "made.partial/model.safetensors.partial");
  place.output(kFit);  // what a killed run left
  CHECK(!fs::exists(place.files() / "made.partial"));
}

TEST_CASE("texts that are cut are counted, also on the card") {
  ToyPlace place;
  place.add("short", [](OrderedJson& config) { config["max_position_embeddings"] = 6; });
  place.files().write("rows.csv", verdict_rows(40));
  const Outcome outcome =
      place.run({"fit", "rows.csv", "-m", "short", "-o", "made", "--dev-share", "0"});
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.err.find(" had too many tokens for the model; the rest was cut\n") !=
        std::string::npos);
  CHECK(place.files().read("made/README.md").find("too many tokens") != std::string::npos);
}

TEST_CASE("what cannot be meant is said before anything is computed") {
  struct Row {
    std::string rows;
    Arguments more;
    int status;
    std::string reason;
  };
  const std::vector<Row> cases = {
      {"text,label\n", {}, 1, "rows.csv|has no row to train on"},
      {"text,label\ngood,x\nbad,x\n", {}, 1, "rows.csv|found a single label, \"x\", in 2 rows"},
      {"text,label\ngood,1\nbad,1\n",
       {"--regression"},
       1,
       "rows.csv|all labels have the same value"},
      {"text,topic\ngood,1\nbad,2\n", {}, 1, "rows.csv|label"},
      {"text,label\ngood,x\nbad,y\n", {"--label", "other"}, 1, "rows.csv|other"},
      {"text,label\ngood,x\nbad,y\n",
       {"--regression", "--class-weights", "balanced"},
       2,
       "--class-weights balanced|--regression, which learns numbers"},
      {"text,label\ngood,x\nbad,y\n", {"--dev", "absent.csv"}, 1, "absent.csv|No such file"},
      {"text,label\ngood,x\nbad,y\n", {"--dev-share", "2"}, 2, "--dev-share"},
      {"text,label\ngood,x\nbad,y\n", {"--resume", "--force"}, 2, "--resume|--force"},
      {"text,label\ngood,x\nbad,y\n", {"--train", "some"}, 2, "--train"},
      {"text,label\ngood,x\nbad,y\n",
       {"--log", "toy/config.json", "--force"},
       1,
       "toy/config.json|is read by this command"},
  };
  for (const Row& row : cases) {
    ToyPlace place;
    place.files().write("rows.csv", row.rows);
    INFO(row.reason);
    check_last_reason(place.run(with(kFit, row.more)), row.status, row.reason);
    CHECK(!fs::exists(place.files() / "made"));
    CHECK(!fs::exists(place.files() / "made.partial"));
  }
}

TEST_CASE("without -m, fit starts from the encoder that ships, and says where none is") {
  ToyPlace place;
  with_rows(place);
  const auto report =
      place.json({"fit", "rows.csv", "--train", "head", "-o", "made", "--format", "json"});
  CHECK(report["start"] == "encoder");
  Command alone = place.command({"fit", "rows.csv", "-o", "other"});
  fs::copy_file(HEADLIGHT_PROGRAM, place.files() / "program");
  alone.program = place.files() / "program";
  check_last_reason(run(alone), 2, "no model is named");
}

TEST_CASE("models that cannot be the start are refused") {
  ToyPlace place;
  with_rows(place);
  place.add("tokens", [](OrderedJson& config) { config["pooling"] = "none"; });
  check_last_reason(place.run({"fit", "rows.csv", "-m", "tokens", "-o", "made"}), 1,
                    "labels tokens, so it has no vector for a whole text");
  check_last_reason(place.run({"fit", "rows.csv", "-m", "toy", "-o", "toy", "--force"}), 1,
                    "toy|is the model to start from");
  check_last_reason(place.run({"fit", "rows.csv", "-m", "absent", "-o", "made"}), 1,
                    "no model \"absent\"");
  check_last_reason(place.run({"fit", "rows.txt", "-m", "toy", "-o", "made"}), 2,
                    "rows.txt is read as text lines, which have no labels");
  check_last_reason(place.run({"fit", "rows.csv", "-m", "toy"}), 2, "--output");
}

}  // namespace
}  // namespace headlight::fit_test
