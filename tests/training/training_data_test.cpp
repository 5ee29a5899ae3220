#include "training/rows/training_data.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "training/rows/row_targets.h"
#include "training/spelled_rows.h"

namespace headlight::training_data_test {
namespace {

std::string error_of(const Spelled& spelled, const DataOptions& options = {}) {
  try {
    make_training_data(rows_of(spelled), std::nullopt, options);
  } catch (const Error& error) {
    return error.line();
  }
  return "";
}

std::vector<std::string> numbered(const std::vector<std::string>& labels) {
  return name_labels(labels).names;
}

TEST_CASE("labels are numbered by value if all are integers, else by code point") {
  using Names = std::vector<std::string>;
  CHECK(numbered({"10", "9", "-1", "9"}) == Names{"-1", "9", "10"});
  CHECK(numbered({"10", "9", "x"}) == Names{"10", "9", "x"});
  CHECK(numbered({"é", "z", "a", "Z"}) == Names{"Z", "a", "z", "é"});
}

TEST_CASE("a JSON list or bars make a multi-label model") {
  const TrainingData data = make_training_data(
      rows_of({{"a", "red|green"}, {"b", R"(["blue", "red"])"}, {"c", ""}, {"d", "red|red"}}),
      std::nullopt, {.dev_share = 0.0});
  CHECK(data.rows.labels.problem_type == ProblemType::multi_label);
  CHECK(data.rows.labels.names == std::vector<std::string>{"blue", "green", "red"});
  REQUIRE(data.rows.train.size() == 4);
  CHECK(data.rows.train[0].target.labels == std::vector<std::size_t>{1, 2});
  CHECK(data.rows.train[1].target.labels == std::vector<std::size_t>{0, 2});
  CHECK(data.rows.train[2].target.labels.empty());
  CHECK(data.rows.train[3].target.labels == std::vector<std::size_t>{2});
}

TEST_CASE("a file is one of lists if two rows and one in a hundred are, or most are spelled so") {
  struct Row {
    std::vector<std::string> lists;
    std::size_t others;
    bool several;
  };
  const Row rows[] = {
      {{}, 5, false},
      {{"a|b"}, 9, true},
      {{"a|b"}, 10, false},
      {{"a|b"}, 99, false},
      {{"a|b", "[\"a\",\"b\"]"}, 198, true},
      {{"[1]"}, 2, false},
      {{"|"}, 2, false},
      {{"[]"}, 2, false},
      {{"[]", "[]", "[]"}, 2, false},
      {{"[1]", "[2]", "[1]"}, 2, true},
      {{"a|", "|", "b|"}, 2, true},
      {{"[[1]]"}, 2, false},
  };
  for (const auto& [lists, others, several] : rows) {
    std::vector<std::string> labels = lists;
    labels.insert(labels.end(), others, "a");
    labels.insert(labels.end(), 50, "");  // no labels
    CHECK((name_labels(labels).problem_type == ProblemType::multi_label) == several);
  }
}

TEST_CASE("rows without a usable label are counted and the first one is shown") {
  const TrainingData data =
      make_training_data(rows_of({{"a", "1.5"}, {"b", "much"}, {"c", "2"}, {"d", ""}}),
                         std::nullopt, {.is_regression = true, .dev_share = 0.0});
  CHECK(data.errors == 2);
  REQUIRE(data.errors_seen.size() == 1);
  CHECK(data.errors_seen[0] ==
        "rows.csv: 2 of 4 rows cannot be used; first error: row 1 (line 3): label \"much\" is not "
        "a number");
  CHECK(data.rows.train[1].target.value == 2.0F);
}

TEST_CASE("data from which nothing can be learned is refused") {
  CHECK(error_of({}) == "rows.csv: has no row to train on");
  CHECK(error_of({{"a", "x"}, {"b", "x"}}) ==
        "rows.csv: found a single label, \"x\", in 2 rows; a classifier needs at least two; "
        "--label NAME selects the field of the label");
  CHECK(error_of({{"a", "1"}, {"b", "1.0"}}, {.is_regression = true, .dev_share = 0.1}) ==
        "rows.csv: all labels have the same value, so there is nothing to learn");
}

TEST_CASE("one row a label is enough, with a note") {
  const TrainingData data =
      make_training_data(rows_of({{"a", "x"}, {"b", "y"}, {"c", "z"}}), std::nullopt, {});
  CHECK(data.rows.train.size() == 3);
  REQUIRE(data.notes.size() == 1);
  CHECK(data.notes[0] == "3 labels have only one row, too few to learn: x, y, z");
}

TEST_CASE("labels are read as the map says, and what occurs in no row is named") {
  const TrainingData data =
      make_training_data(rows_of({{"a", "0"}, {"b", "1"}, {"c", "0"}, {"d", "1"}}), std::nullopt,
                         {.mapped = {{"0", "no"}, {"1", "yes"}, {" 2", "maybe"}}});
  CHECK(data.rows.labels.names == std::vector<std::string>{"no", "yes"});
  CHECK(data.rows.train[1].target.labels == std::vector<std::size_t>{1});
  REQUIRE(data.notes.size() == 1);
  CHECK(data.notes[0] == "--label-map: no row has the label \" 2\"");
}

TEST_CASE("labels of development rows are read as the map says, also those of no training row") {
  const auto made = [](const Spelled& train) {
    return make_training_data(rows_of(train), rows_of({{"e", "0"}, {"f", "1"}, {"g", "odd"}}),
                              {.mapped = {{"0", "no"}, {"1", "yes"}, {"2", "yes"}}});
  };
  const TrainingData named = made({{"a", "no"}, {"b", "yes"}, {"c", "no"}, {"d", "yes"}});
  const TrainingData numbered = made({{"a", "0"}, {"b", "1"}, {"c", "0"}, {"d", "1"}});
  for (const TrainingData* data : {&named, &numbered}) {
    CHECK(data->rows.labels.names == std::vector<std::string>{"no", "yes"});
    REQUIRE(data->rows.dev.size() == 3);
    CHECK(data->rows.dev[0].target.labels == std::vector<std::size_t>{0});
    CHECK(data->rows.dev[1].target.labels == std::vector<std::size_t>{1});
    CHECK(data->rows.dev[2].target.unknown == std::vector<std::string>{"odd"});
    CHECK(data->notes.front() == "--label-map: no row has the label \"2\"");
  }
}

TEST_CASE("what is suspicious is said") {
  const TrainingData data =
      make_training_data(rows_of({{"a", "x"}, {"a", "y"}, {"b", "x"}, {"c", "z"}, {"d", "y"}}),
                         rows_of({{"b", "x"}, {"new", "y"}}), {});
  REQUIRE(data.notes.size() == 3);
  CHECK(data.notes[0] == "1 label has only one row, too few to learn: z");
  CHECK(data.notes[1] ==
        "1 text has different labels in different rows: \"a\" is \"x\" in line 2 and \"y\" in line "
        "3");
  CHECK(data.notes[2] ==
        "1 of 2 development rows have the text of a training row; figures on them are too good");
}

TEST_CASE("labels that look alike are shown with what differs") {
  const TrainingData data = make_training_data(rows_of({{"a", "caf\u00e9"},
                                                        {"b", "cafe\u0301"},
                                                        {"c", "caf\u00e9"},
                                                        {"d", "a b"},
                                                        {"e", "a\u00a0b\u200b"}}),
                                               std::nullopt, {.merges_labels = false});
  CHECK(data.notes[0] ==
        "labels that differ only in case, blanks, punctuation or encoding: \"a b\" (1 row) = "
        "\"a\\u00a0b\\u200b\" (1 row); \"caf\u00e9\" (2 rows) = \"cafe\\u0301\" (1 row); "
        "--merge-labels makes one of each group");
}

TEST_CASE("labels that are spelled alike are said, and merged into the most frequent spelling") {
  const Spelled train = {{"a", "Lost card"}, {"b", "lost_card"}, {"c", "pin"}, {"d", "lost_card"},
                         {"e", "PIN"},       {"f", "C++"},       {"g", "C"},   {"h", " pin"}};
  const auto made = [&](bool merges) {
    return make_training_data(rows_of(train), rows_of({{"new", "PIN"}, {"old", "Lost card"}}),
                              {.merges_labels = merges});
  };
  const TrainingData plain = made(false);
  CHECK(
      plain.notes[0] ==
      "labels that differ only in case, blanks, punctuation or encoding: \"lost_card\" (2 rows) = "
      "\"Lost "
      "card\" (1 row); \" pin\" (1 row) = \"PIN\" (1 row) = \"pin\" (1 row); --merge-labels makes "
      "one of each group");
  CHECK(plain.rows.labels.names.size() == 7);
  const TrainingData data = made(true);
  CHECK(data.notes[0] ==
        "3 labels merged, as by --label-map 'Lost card=lost_card,PIN= pin,pin= pin'; evaluate, "
        "explain and check with this model read them so, too");
  CHECK(data.rows.labels.names == std::vector<std::string>{" pin", "C", "C++", "lost_card"});
  std::vector<std::size_t> numbers;
  for (const LabelledRow& row : data.rows.train) numbers.push_back(row.target.labels.at(0));
  CHECK(numbers == std::vector<std::size_t>{3, 3, 0, 3, 0, 2, 1, 0});
  CHECK(data.rows.dev[0].target.labels == std::vector<std::size_t>{0});
  CHECK(data.rows.dev[1].target.labels == std::vector<std::size_t>{3});
  const TrainingData lists =
      make_training_data(rows_of({{"a", "x|X|y"}, {"b", "y|X"}, {"c", "x"}, {"d", "X|Y"}}),
                         std::nullopt, {.dev_share = 0, .merges_labels = true});
  CHECK(lists.rows.labels.names == std::vector<std::string>{"X", "y"});
  CHECK(lists.rows.train[0].target.labels == std::vector<std::size_t>{0, 1});
}

TEST_CASE("rows that cannot be used or contradict each other are listed") {
  const TrainingData data =
      make_training_data(rows_of({{"a", "x"}, {"a", "y"}, {"b", ""}, {"a", "x"}, {"c", "y"}}),
                         rows_of({{"n", "x"}, {"m", "z"}}), {});
  std::vector<std::string> found;
  for (const RowProblem& row : data.problems) {
    found.push_back(std::to_string(row.row) + ' ' + row.text + ' ' + row.label + ": " + row.reason);
  }
  REQUIRE(found.size() == 4);
  CHECK(found[0].starts_with("2 b : "));
  CHECK(found[1] == "0 a x: the same text is \"y\" in line 3");
  CHECK(found[2] == "1 a y: the same text is \"x\" in line 2");
  CHECK(found[3] == "3 a x: the same text is \"y\" in line 3");
}

TEST_CASE("a label that only development rows have is wrong, as evaluate counts it") {
  const Spelled train = {{"a", "x"}, {"b", "y"}, {"c", "y"}};
  const TrainingData data =
      make_training_data(rows_of(train), rows_of({{"e", "w"}, {"d", "x"}, {"f", "x|y"}}), {});
  REQUIRE(data.rows.dev.size() == 3);
  CHECK(count_known(data.rows.dev) == 1);
  CHECK(data.rows.dev[0].input.text == "d");
  CHECK(data.rows.dev[1].target.unknown == std::vector<std::string>{"w"});
  CHECK(data.errors == 0);
  CHECK(data.notes.back() ==
        "2 development rows, with labels that no training row has, such as \"w\", count as wrong");
  CHECK_THROWS_AS(make_training_data(rows_of(train), rows_of({{"d", "x"}, {"e", "Y"}}), {}), Error);
  CHECK_THROWS_AS(make_training_data(rows_of(train), rows_of({{"e", "w"}}), {}), Error);
}

std::set<std::string> dev_texts(const TrainingData& data) {
  std::set<std::string> texts;
  for (const LabelledRow& row : data.rows.dev) texts.insert(row.input.text);
  return texts;
}

TEST_CASE("development rows are held out by label, by the seed, with equal texts together") {
  Spelled spelled;
  for (int i = 0; i < 300; ++i) {
    const std::string text = "text " + std::to_string(i / 2);  // each text twice
    spelled.emplace_back(text, i < 200 ? "x" : "y");
  }
  const TrainingData data =
      make_training_data(rows_of(spelled), std::nullopt, {.dev_share = 0.1, .seed = 3});
  CHECK(data.rows.train.size() == 270);
  std::size_t of_y = 0;
  for (const LabelledRow& row : data.rows.dev) of_y += row.target.labels.front();
  CHECK(of_y == 10);  // a tenth of 100
  const std::set<std::string> held = dev_texts(data);
  CHECK(held.size() == 15);
  for (const LabelledRow& row : data.rows.train) CHECK(!held.contains(row.input.text));
  CHECK(dev_texts(make_training_data(rows_of(spelled), std::nullopt,
                                     {.dev_share = 0.1, .seed = 3})) == held);
  CHECK(dev_texts(make_training_data(rows_of(spelled), std::nullopt,
                                     {.dev_share = 0.1, .seed = 4})) != held);
}

TEST_CASE("similar texts are on one side, and it is said where that leaves too few") {
  Spelled spelled;
  for (int i = 0; i < 100; ++i) {
    const std::string word = "word" + std::to_string(i);
    spelled.emplace_back("the " + word + " is here", "x");
    spelled.emplace_back("The " + word + " is here.", i % 2 == 0 ? "x" : "y");
  }
  const TrainingData data =
      make_training_data(rows_of(spelled), std::nullopt, {.dev_share = 0.1, .seed = 3});
  CHECK(data.rows.dev.size() == 20);
  const std::set<std::string> held = dev_texts(data);
  for (int i = 0; i < 100; ++i) {
    const auto row = static_cast<std::size_t>(2 * i);
    CHECK(held.contains(spelled[row].first) == held.contains(spelled[row + 1].first));
  }
  CHECK(data.notes.empty());

  spelled.clear();
  std::string text = "a b";
  for (int i = 0; i < 40; ++i) spelled.emplace_back(text += " a", i % 2 == 0 ? "x" : "y");
  spelled.emplace_back("b b", "x");
  const TrainingData few = make_training_data(rows_of(spelled), std::nullopt, {.dev_share = 0.5});
  CHECK(dev_texts(few) == std::set<std::string>{"b b"});
  CHECK(few.notes.back() ==
        "only 1 of 21 development texts could be held out: the others are part of texts to train "
        "on, or nearly the same");
}

TEST_CASE("folds have similar texts together, and rows of a label without another are in none") {
  Spelled spelled;
  for (int i = 0; i < 60; ++i) {
    const std::string text = "no " + std::to_string(i / 2) + " of all";
    spelled.emplace_back(i % 2 == 0 ? text : text + '!', i % 4 < 2 ? "x" : "y");
  }
  spelled.emplace_back("alone", "z");
  spelled.emplace_back("it has a copy", "w");
  spelled.emplace_back("It has a copy.", "w");
  const LabelledRows rows =
      make_training_data(rows_of(spelled), std::nullopt, {.dev_share = 0.0}).rows;
  const auto folds = scoring_folds(rows.train, rows.labels, 5, 0);
  std::vector<std::size_t> sizes(6);
  for (std::size_t i = 0; i < folds.size(); ++i) {
    ++sizes.at(folds[i]);
    if (i < 60) CHECK(folds[i] == folds[i / 2 * 2]);
  }
  CHECK(sizes == std::vector<std::size_t>{12, 12, 12, 12, 12, 3});
}

TEST_CASE("a label keeps at least one training row") {
  const TrainingData data = make_training_data(rows_of({{"a", "x"}, {"b", "y"}, {"c", "x"}}),
                                               std::nullopt, {.dev_share = 1.0});
  CHECK(data.rows.train.size() == 2);
  CHECK(data.rows.dev.size() == 1);
}

}  // namespace
}  // namespace headlight::training_data_test
