// What headlight fit makes of its rows and of the labels of its start.
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::fit_rows_test {
namespace {

/// Rows with these labels in turn.
std::string rows_with(const std::vector<std::string>& labels) {
  std::string rows = "text,label\n";
  for (std::size_t i = 0; i < 3 * labels.size(); ++i) {
    rows += (i % 2 == 0 ? "good" : "bad") + std::string(i % 5 == 0 ? " a" : "");
    for (std::size_t j = 0; j < i; ++j) rows += " plot";
    rows += ',' + labels[i % labels.size()] + '\n';
  }
  return rows;
}

TEST_CASE("labels of the start that are not in the rows are named") {
  ToyPlace place;
  place.files().write("week1.csv", rows_with({"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k",
                                              "l", "m", "n", "praise"}));
  place.files().write("week2.csv", rows_with({"praise", "blame"}));
  place.files().write("numbers.csv", rows_with({"9", "10"}));
  place.output({"fit", "week1.csv", "-m", "toy", "--train", "head", "-o", "first"});
  place.output({"fit", "week2.csv", "-m", "toy", "--train", "head", "-o", "second"});
  place.add("unnamed", [](OrderedJson& config) { config.erase("id2label"); });
  const std::string gone =
      "the rows lack 14 of the 15 labels of first, so the new model lacks them too: "
      "a, b, c, d, e, f, g, h, i, j, k, l and 2 more";
  struct Row {
    Arguments arguments;
    std::string expected;  // empty: no such note
  };
  const Row table[] = {
      {{"week2.csv", "-m", "./first"}, gone},
      {{"week2.csv", "-m", "./first", "--train", "all", "--epochs", "1"}, gone},
      {{"week2.csv", "-m", "./second"}, ""},
      {{"week2.csv", "-m", "unnamed"}, ""},
      {{"numbers.csv", "-m", "./second"},
       "the rows lack 2 of the 2 labels of second, so the new model lacks them too: blame, praise"},
      {{"numbers.csv", "-m", "./second", "--regression"}, ""},
  };
  for (const Row& row : table) {
    const Outcome outcome = place.run(with({"fit", "-o", "made", "--force"}, row.arguments));
    CAPTURE(outcome.err);
    REQUIRE(outcome.status == 0);
    CHECK((outcome.err.find("the rows lack") == std::string::npos) == row.expected.empty());
    CHECK(outcome.err.find(row.expected) != std::string::npos);
    CHECK(place.files().read("made/README.md").find(row.expected) != std::string::npos);
  }
}

TEST_CASE("--problems lists rows that cannot be used or contradict each other, -v the first five") {
  const ToyPlace place;
  place.files().write(
      "rows.csv", rows_with({"x", "y"}) + "same,x\nsame,y\nlost,\nshort\nsame,x\nsame,y\nsame,y\n");
  const Arguments fit = {"fit",  "rows.csv",       "-m", "toy", "--train", "head", "-o",
                         "made", "--row-errors-ok"};
  const Arguments listed = with(fit, {"--problems", "bad.jsonl"});
  const Outcome outcome = place.run(with(listed, {"-v"}));
  CHECK(outcome.status == 0);
  const auto lines = lines_of(place.files().read("bad.jsonl"));
  REQUIRE(lines.size() == 7);
  CHECK(lines[2] == R"({"file":"rows.csv","row":6,"line":8,"text":"same","label":"x",)"
                    R"("reason":"the same text is \"y\" in line 9"})");
  std::size_t said = 0;
  for (const std::string& line : lines_of(outcome.err)) {
    if (line.find("rows.csv: row ") != std::string::npos) ++said;
  }
  CHECK(said == 5);
  CHECK(place.files().read("made/README.md").find("rows with errors") != std::string::npos);
  check_last_reason(place.run(with(listed, {"--force", "--problems", "rows.csv"})), 2,
                    "--problems");
  check_last_reason(place.run(with(fit, {"--force", "--problems", "bad.csv"})), 2, "bad.csv");
  const std::string problems = place.files().read("bad.jsonl");
  std::filesystem::remove_all(place.files() / "made");  // as if it had been killed before
  CHECK(place.run(with(listed, {"--resume"})).status == 0);
  CHECK(place.files().read("bad.jsonl") == problems);
  std::filesystem::remove_all(place.files() / "made");
  place.files().write("mine.jsonl", "mine");
  check_last_reason(place.run(with(fit, {"--resume", "--problems", "mine.jsonl"})), 1,
                    "mine.jsonl: exists already");
  CHECK(place.files().read("mine.jsonl") == "mine");
}

TEST_CASE("--merge-labels trains one label of each group, and prints the list that does it") {
  const ToyPlace place;
  place.files().write("rows.csv", rows_with({"lost card", "pin", "Lost_Card", "pin"}));
  const Outcome plain =
      place.run({"fit", "rows.csv", "-m", "toy", "--train", "head", "-o", "unmerged"});
  CAPTURE(plain.err);
  CHECK(plain.err.find("\"Lost_Card\" (3 rows) = \"lost card\" (3 rows); --merge-labels") !=
        std::string::npos);
  const Outcome merged = place.run(
      {"fit", "rows.csv", "-m", "toy", "--train", "head", "-o", "merged", "--merge-labels"});
  CHECK(merged.err.find("--label-map 'lost card=Lost_Card'") != std::string::npos);
  CHECK(merged.out.find("labels                  2") != std::string::npos);
  const std::string evaluated = place.output({"evaluate", "rows.csv", "-m", "./merged", "-q"});
  CHECK(evaluated.find("unknown") == std::string::npos);
  CHECK(place.output({"evaluate", "rows.csv", "-m", "./merged", "-q", "--label-map",
                      "lost card=Lost_Card"}) == evaluated);
  const OrderedJson rows = place.json({"explain", "x y", "-m", "./merged", "--rows", "rows.csv",
                                       "-q", "--format", "json"})["training_rows"];
  CHECK_FALSE(rows.empty());
  for (const OrderedJson& row : rows) CHECK(row["label"] != "lost card");
  const OrderedJson towards =
      OrderedJson::parse(place
                             .run({"explain", "--input", "-", "-m", "./merged", "--label", "label",
                                   "--input-format", "jsonl", "-q"},
                                  "{\"text\":\"x y\",\"label\":\"lost card\"}\n")
                             .out);
  CHECK(towards.value("towards", "Lost_Card") == "Lost_Card");
  CHECK(place.run({"check", "rows.csv", "-m", "./merged", "-o", "doubtful.csv"})
            .out.find("labels                  2") != std::string::npos);
  check_refusal(place.run({"fit", "rows.csv", "-m", "toy", "--train", "head", "-o", "x",
                           "--merge-labels", "--regression"}),
                2, "--merge-labels|--regression");
}

TEST_CASE("repeated rows do not make intervals narrower, in fit and in evaluate") {
  const ToyPlace place;
  place.add("uncased", [](OrderedJson& config) {
    config["tokenizer"]["lowercase"] = true;
    config["max_position_embeddings"] = 32;
  });
  std::string once = "text,label\n";
  std::string thrice = once;
  for (int i = 0; i < 24; ++i) {
    std::string text = i % 2 == 0 ? "good" : "bad";
    for (int j = 0; j < i; ++j) text += " plot";
    const std::string label = i % 5 == 0 ? ",negative\n" : ",positive\n";
    once += text + label;
    const std::string loud = (i % 2 == 0 ? "GOOD" : "Bad") + text.substr(text.find('d') + 1);
    for (const std::string& spelled : {text, loud, text + "  "}) thrice += spelled + label;
  }
  place.files().write("once.csv", once);
  place.files().write("thrice.csv", thrice);
  place.files().write("train.csv", rows_with({"negative", "positive"}));
  const auto interval_of = [&](const Arguments& arguments) {
    const OrderedJson found = place.json(with(arguments, {"--format", "json"}));
    const OrderedJson& measures = found.contains("development") ? found["development"] : found;
    return measures["accuracy_interval"];
  };
  for (const Arguments& more : {Arguments{}, Arguments{"--attention-stats"}}) {
    const auto evaluate = with({"evaluate", "-m", "uncased"}, more);
    CHECK(interval_of(with(evaluate, {"thrice.csv"})) == interval_of(with(evaluate, {"once.csv"})));
  }
  for (const char* part : {"head", "all"}) {
    const Arguments fit = {"fit",     "train.csv", "-m", "uncased", "-o",   "made",
                           "--force", "--train",   part, "--quiet", "--dev"};
    CHECK(interval_of(with(fit, {"thrice.csv"})) == interval_of(with(fit, {"once.csv"})));
  }
}

TEST_CASE("of rows whose words the start does not know, a static model learns the words") {
  const ToyPlace place;
  place.add("pieces", use_word_pieces);
  place.files().write("rows.csv", unknown_rows(100));
  const Outcome outcome = place.run({"fit", "rows.csv", "-m", "pieces", "-o", "made"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  for (const std::string note :
       {"100 % of the tokens are unknown to this model",
        "that learn the words of the rows were tried: static, tfidf", "100 rows, scored in"}) {
    CHECK(outcome.err.find(note) != std::string::npos);
  }
  CHECK(outcome.err.find("different labels") == std::string::npos);
  const OrderedJson found =
      place.json({"evaluate", "rows.csv", "-m", "./made", "--format", "json", "-q"});
  CHECK(found["accuracy"] == 1.0);
}

TEST_CASE("summary and card of a fit say how many tokens the new model does not know") {
  const ToyPlace place;
  place.add("pieces", use_word_pieces);
  place.files().write("rows.csv", unknown_rows(100));
  for (const auto& [train, share] : {std::pair("head", "100.0 %"), std::pair("auto", "")}) {
    const OrderedJson found = place.json({"fit", "rows.csv", "-m", "pieces", "--train", train, "-o",
                                          "made", "--force", "--format", "json", "-q"});
    const std::string card = place.files().read("made/README.md");
    CAPTURE(card);
    const bool is_known = std::string_view(share).empty();
    CHECK(found.contains("unknown") == !is_known);
    CHECK((card.find("| unknown tokens | ") == std::string::npos) == is_known);
    CHECK(card.find(share) != std::string::npos);
  }
}

TEST_CASE("rows whose words occur once are read by n-grams of their characters") {
  const ToyPlace place;
  std::string rows = "text,label\n";
  for (int i = 0; i < 24; ++i) {
    std::string word(1, static_cast<char>('a' + i % 26));
    rows += word + word + std::to_string(i) + (i % 2 == 0 ? ",a\n" : ",b\n");
  }
  place.files().write("rows.csv", rows);
  const Outcome outcome = place.run({"fit", "rows.csv", "--train", "static", "-o", "alone"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(place.files().read("alone/README.md").find("100 % of the words of the rows occur once") !=
        std::string::npos);
  const Outcome all = place.run({"fit", "rows.csv", "-o", "made", "--minutes", "0.02"});
  CHECK(all.status == 0);
  CHECK(all.err.find("left out") == std::string::npos);
}

TEST_CASE("rows with labels that no training row has count as wrong, as in evaluate") {
  const ToyPlace place;
  place.files().write("rows.csv", rows_with({"a", "b"}));
  place.files().write("dev.csv", "text,label\ngood,a\nbad plot,c\nbad,b\ngood plot,c\nbad a,a\n");
  for (const std::string train : {"head", "all", "static", "auto"}) {
    CAPTURE(train);
    const Outcome outcome =
        place.run({"fit", "rows.csv", "--dev", "dev.csv", "-m", "toy", "--train", train, "-o",
                   "made", "--force", "--format", "json"});
    CAPTURE(outcome.err);
    REQUIRE(outcome.status == 0);
    CHECK(outcome.err.find("2 development rows, with labels that no training row has, such as "
                           "\"c\", count as wrong") != std::string::npos);
    const OrderedJson made = OrderedJson::parse(outcome.out);
    const OrderedJson found =
        place.json({"evaluate", "dev.csv", "-m", "./made", "--format", "json", "-q"});
    CHECK(made["dev_rows"] == 5);
    CHECK(made["errors"] == 0);
    for (const char* field : {"rows", "unknown_label_rows", "accuracy", "accuracy_interval",
                              "macro_f1", "weighted_f1", "confusion"}) {
      CAPTURE(field);
      CHECK(made["development"][field] == found[field]);
    }
  }
}

TEST_CASE("an empty or blank text is a row that no training can use") {
  const ToyPlace place;
  place.add("pieces", use_word_pieces);
  std::string rows = "text,label\n";
  for (int i = 0; i < 20; ++i) rows += i % 2 == 0 ? "good good,a\n" : "bad bad good,b\n";
  place.files().write("rows.csv", rows + "\"\",a\n\"  \",b\n");
  place.files().write("dev.csv", "text,label\n\" \",a\ngood,a\nbad,b\n");
  const std::string first =
      "rows.csv: 2 of 22 rows cannot be used; first error: row 20 (line 22): ";
  for (const std::string train : {"auto", "head", "all", "contrastive", "static", "rows"}) {
    CAPTURE(train);
    Arguments fit = {"fit",  "rows.csv", "--dev",      "dev.csv",  "-o",
                     "made", "--force",  "--problems", "bad.jsonl"};
    if (train != "rows") fit = with(fit, {"-m", "pieces"});
    const Outcome outcome = place.run(with(fit, {"--train", train == "rows" ? "static" : train}));
    CAPTURE(outcome.err);
    CHECK(outcome.status == 3);
    CHECK(outcome.err.find(first + "the text is missing") != std::string::npos);
    CHECK(outcome.err.find("dev.csv: 1 of 3 rows cannot be used; first error: row 0 (line 2): ") !=
          std::string::npos);
    CHECK(lines_of(place.files().read("bad.jsonl")).size() == 3);
  }
}

}  // namespace
}  // namespace headlight::fit_rows_test
