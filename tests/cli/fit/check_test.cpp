// headlight check: rows whose label is probably wrong, as a file to correct.
#include <csignal>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::fit_check_test {
namespace {

const Arguments kCheck = {"check", "rows.jsonl", "-m", "toy", "-o", "doubtful.jsonl"};

/// Texts of "good" and "bad" by their label; that of every 13th is wrong.
std::string rows_with_mistakes(const std::string& yes = R"("praise")",
                               const std::string& no = R"("blame")") {
  std::string rows;
  for (int i = 0; i < 60; ++i) {
    std::string text = i % 2 == 0 ? "good" : "bad";
    for (int bits = i / 2; bits > 0; bits /= 2) text += bits % 2 == 0 ? " movie" : " a";
    const bool is_wrong = i % 13 == 5;
    rows += R"({"key": )" + std::to_string(100 + i) + R"(, "text": ")" + text + R"(", "label": )" +
            ((i % 2 == 0) != is_wrong ? yes : no) + "}\n";
  }
  return rows;
}

const std::vector<int> kWrong = {5, 18, 31, 44, 57};

std::vector<OrderedJson> rows_in(const std::string& lines) {
  std::vector<OrderedJson> rows;
  for (const std::string& line : lines_of(lines)) rows.push_back(OrderedJson::parse(line));
  return rows;
}

TEST_CASE("the wrong labels are listed with what is suggested, and no model is made") {
  ToyPlace place;
  place.files().write("rows.jsonl", rows_with_mistakes());
  const Outcome outcome = place.run(kCheck);
  check_sane(outcome);
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.out.find("rows listed             5, 0 only for a near-duplicate") !=
        std::string::npos);
  CHECK(outcome.err.ends_with("headlight: wrote doubtful.jsonl\n"));
  CHECK(!place.files().has("doubtful.jsonl.vectors"));
  std::vector<int> found;
  double before = 0.0;
  for (const OrderedJson& row : rows_in(place.files().read("doubtful.jsonl"))) {
    std::vector<std::string> names;
    for (const auto& [name, value] : row.items()) names.push_back(name);
    CHECK(names == std::vector<std::string>{"key", "text", "label", "id", "given", "suggested",
                                            "probability_given", "probability_suggested",
                                            "duplicate_of", "checked"});
    const int number = row["id"];
    CHECK(row["key"] == 100 + number);
    CHECK(row["given"] == row["label"]);
    CHECK(row["suggested"] == (number % 2 == 0 ? "praise" : "blame"));
    CHECK(row["probability_given"].get<double>() + row["probability_suggested"].get<double>() ==
          doctest::Approx(1.0));
    CHECK(row["probability_given"] >= before);
    before = row["probability_given"];
    found.push_back(number);
  }
  std::ranges::sort(found);
  CHECK(found == kWrong);
}

TEST_CASE("the same bytes for any number of threads, and another draw by another seed") {
  ToyPlace place;
  place.files().write("rows.jsonl", rows_with_mistakes());
  const auto bytes = [&](const char* threads, const char* seed) {
    place.output(with(kCheck, {"--threads", threads, "--seed", seed, "--force"}));
    return place.files().read("doubtful.jsonl");
  };
  const std::string one = bytes("1", "0");
  CHECK(bytes("3", "0") == one);
  CHECK(bytes("1", "5") != one);
}

TEST_CASE("a table keeps the columns of the input, and names rows by their id") {
  ToyPlace place;
  place.files().write("rows.jsonl", rows_with_mistakes());
  place.output({"check", "rows.jsonl", "-m", "toy", "-o", "a.csv", "--id", "key"});
  const std::vector<std::string> lines = lines_of(place.files().read("a.csv"));
  REQUIRE(lines.size() == 6);
  CHECK(lines[0] ==
        "key,text,label,given,suggested,probability_given,probability_suggested,duplicate_of,"
        "checked");
  place.output({"check", "rows.jsonl", "-m", "toy", "-o", "b.tsv", "--column-prefix", "our "});
  CHECK(lines_of(place.files().read("b.tsv"))[0] ==
        "key\ttext\tlabel\tour id\tour given\tour suggested\tour probability_given\t"
        "our probability_suggested\tour duplicate_of\tour checked");
}

TEST_CASE("fit --apply takes the labels that a person filled, of the same rows alone") {
  const ToyPlace place;
  std::string rows = "body,topic\n";
  for (const OrderedJson& row : rows_in(rows_with_mistakes())) {
    rows += row["text"].get<std::string>() + ',' + row["label"].get<std::string>() + '\n';
  }
  place.files().write("rows.csv", rows);
  const Arguments of_rows = {"rows.csv", "--text", "body", "--label", "topic"};
  const auto run = [&](const std::string& command, const Arguments& more) {
    return place.run(with(with({command}, of_rows), more));
  };
  REQUIRE(run("check", {"-m", "toy", "-o", "doubtful.csv"}).status == 0);
  std::vector<std::string> lines = lines_of(place.files().read("doubtful.csv"));
  REQUIRE(lines.size() == 6);
  CHECK(lines[0].ends_with(",duplicate_of,label,checked"));
  const auto fill = [&](std::size_t line, const std::string& label) {
    const std::size_t mark = lines[line].find(",\"row ");
    REQUIRE(mark != std::string::npos);
    lines[line].insert(mark, label);
  };
  fill(1, "new");
  fill(2, "praise");
  fill(4, "blame");
  std::string filled;
  for (const std::string& line : lines) filled += line + '\n';
  place.files().write("filled.csv", filled);
  const Arguments fit = {"-m", "toy", "--train", "head", "-o", "made", "--force"};
  const Outcome outcome = run("fit", with(fit, {"--apply", "filled.csv"}));
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.err.find(" changed as filled.csv says") != std::string::npos);
  CHECK(place.json({"inspect", "-m", "./made", "--format", "json"})["labels"] ==
        OrderedJson({"blame", "new", "praise"}));
  const Outcome explained = place.run({"explain", "good bad", "-m", "./made", "--rows", "rows.csv",
                                       "--text", "body", "--label", "topic"});
  CAPTURE(explained.err);
  CHECK(explained.status == 0);
  place.files().write("rows.csv", rows + "good,praise\n");
  check_last_reason(run("fit", with(fit, {"--apply", "filled.csv"})), 1,
                    "filled.csv: row |other rows were checked|row|of 60 rows|rows.csv has 61 rows");
  place.files().write("filled.csv", "label,checked\nnew,row x\n");
  check_last_reason(run("fit", with(fit, {"--apply", "filled.csv"})), 1,
                    "filled.csv: row |other rows were checked: found \"row x\"");
  check_last_reason(run("fit", with(fit, {"--apply", "rows.csv"})), 1,
                    "rows.csv: has no column \"checked\"");
}

TEST_CASE("equal texts with different labels name each other") {
  ToyPlace place;
  std::string rows = rows_with_mistakes();
  rows += R"({"text": "good good bad movie a", "label": "praise", "key": "x"})"
          "\n"
          R"({"text": "good good bad movie a", "label": "blame", "key": "y"})"
          "\n";
  place.files().write("rows.jsonl", rows);
  place.output({"check", "rows.jsonl", "-o", "doubtful.jsonl", "--id", "key"});
  std::vector<std::string> pairs;
  for (const OrderedJson& row : rows_in(place.files().read("doubtful.jsonl"))) {
    if (row["duplicate_of"].is_string()) {
      pairs.push_back(row["key"].get<std::string>() + row["duplicate_of"].get<std::string>());
    }
  }
  REQUIRE(pairs.size() == 1);
  CHECK((pairs[0] == "xy" || pairs[0] == "yx"));
}

TEST_CASE("several labels per row, and labels that are spelled alike, in the summary as JSON") {
  ToyPlace place;
  place.files().write("rows.jsonl",
                      rows_with_mistakes(R"(["praise", "All"])", R"(["blame", "all"])"));
  const OrderedJson summary = place.json(with(kCheck, {"--format", "json"}));
  CHECK(summary["rows"] == 60);
  CHECK(summary["labels"] == 4);
  CHECK(summary["listed"] == 5);
  CHECK(summary["labels_alike"] == OrderedJson::parse(R"([["All", "all"]])"));
  const OrderedJson row = rows_in(place.files().read("doubtful.jsonl"))[0];
  CHECK(row["given"].is_array());
  CHECK(row["suggested"].size() == 2);
}

TEST_CASE("a label with a single text is not judged") {
  ToyPlace place;
  place.files().write("rows.jsonl",
                      rows_with_mistakes() + R"({"text": "plot", "label": "rare"})" + "\n");
  const OrderedJson summary = place.json(with(kCheck, {"--format", "json"}));
  CHECK(summary["unjudged_labels"] == 1);
  CHECK(summary["listed"] == 5);
}

TEST_CASE("what cannot be checked is refused in one line") {
  ToyPlace place;
  place.files().write("rows.jsonl", rows_with_mistakes());
  place.files().write("few.csv", "text,label\ngood,yes\nbad,no\ngood,yes\n");
  place.files().write("clash.csv", "text,label,given\n" + std::string(6, 'x') +
                                       ",a,b\ny,b,c\n"
                                       "good,a,b\nbad,b,a\na,a,b\nplot,b,a\n");
  place.files().write("bare.json", toy_config().dump());
  place.files().write("old.csv", "mine");
  struct Row {
    Arguments arguments;
    int status;
    std::string reason;
  };
  for (const Row& row : std::vector<Row>{
           {{"fit", "rows.jsonl", "--check", "a.csv"}, 2, "headlight check FILE -o OUT"},
           {{"fit", "rows.jsonl", "-o", "made", "--check", "a.csv"}, 2, "headlight check FILE"},
           {{"check", "rows.jsonl"}, 2, "--output is required"},
           {with(kCheck, {"--epochs", "2"}), 2, "unknown option --epochs of check; fit has it"},
           {{"check", "rows.jsonl", "-o", "a.txt"}, 2, "must end with .jsonl, .csv or .tsv"},
           {{"check", "rows.jsonl", "-o", "a.parquet"}, 2, "this command writes jsonl, csv"},
           {{"fit", "rows.jsonl", "-o", "made", "--id", "key"}, 2, "unknown option --id of fit"},
           {{"check", "few.csv", "-m", "toy", "-o", "a.csv"}, 1, "2 different texts|at least 5"},
           {{"check", "clash.csv", "-m", "toy", "-o", "a.csv"}, 2, "\"given\"|--column-prefix"},
           {{"check", "rows.jsonl", "-m", "bare.json", "-o", "a.csv"}, 1, "has no weights"},
           {{"check", "rows.jsonl", "-m", "toy", "-o", "old.csv"}, 1, "old.csv|exists"},
           {{"check", "rows.jsonl", "-m", "toy", "-o", "rows.jsonl"}, 1, "rows.jsonl"}}) {
    CAPTURE(row.arguments);
    const Outcome outcome = place.run(row.arguments);
    CAPTURE(outcome.err);
    check_last_reason(outcome, row.status, row.reason);
    CHECK(!place.files().has("a.csv"));
    CHECK(!place.files().has("a.csv.partial"));
  }
  CHECK(place.files().read("old.csv") == "mine");
}

TEST_CASE("rows of unknown words are not judged, and refused if there are hardly others") {
  const ToyPlace place;
  place.add("pieces", use_word_pieces);
  const std::string known = "good bad,a\nbad good,b\ngood,a\nbad,b\ngood good,a\nbad bad,b\n";
  place.files().write("rows.csv", unknown_rows(10) + known);
  const std::vector<std::string> check = {"check", "rows.csv", "-m", "pieces", "-o", "found.csv"};
  const Outcome outcome = place.run(check);
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.err.find("of the tokens are unknown to this model") != std::string::npos);
  CHECK(outcome.out.find("rows not judged         10") != std::string::npos);
  CHECK(place.files().read("found.csv").find("other") == std::string::npos);
  place.files().write("rows.csv", unknown_rows(40));
  const Outcome refused = place.run({"check", "rows.csv", "-m", "pieces", "-o", "more.csv"});
  CHECK(refused.status == 1);
  CHECK(
      refused.err.find("rows.csv: has 80 of 80 tokens unknown to the encoder, so it cannot compare "
                       "the texts; -m takes an encoder that reads them") != std::string::npos);
  CHECK_FALSE(place.files().has("more.csv"));
}

}  // namespace
}  // namespace headlight::fit_check_test
