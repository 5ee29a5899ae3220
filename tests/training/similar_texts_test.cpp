// Which rows are held out together because their texts say nearly the same.
#include "training/rows/similar_texts.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "training/spelled_rows.h"

namespace headlight::similar_texts_test {
namespace {

using Texts = std::vector<std::string>;

std::vector<LabelledRow> grouped_rows(const Texts& texts) {
  Spelled spelled;
  for (const std::string& text : texts) spelled.emplace_back(text, "x");
  std::vector<LabelledRow> rows;
  for (SpelledRow& each : rows_of(spelled).rows) rows.push_back(std::move(each.row));
  group_similar_texts(rows);
  return rows;
}

bool are_together(const std::vector<LabelledRow>& rows) {
  return std::ranges::all_of(
      rows, [&](const LabelledRow& row) { return row.held_with() == rows.front().held_with(); });
}

/// `text` and `other` among texts of other words.
bool are_held_together(const std::string& text, const std::string& other) {
  Texts texts = {text, other};
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    texts.push_back("the x" + number + " is y" + number + " of z" + number + " in my w" + number);
  }
  const auto rows = grouped_rows(texts);
  return rows[0].held_with() == rows[1].held_with();
}

TEST_CASE("texts that say nearly the same are held together") {
  struct Pair {
    std::string text;
    std::string other;
    bool are_together;
  };
  const std::vector<Pair> pairs = {
      {"A good film.", "a good film", true},
      {"GOOD", "good!", true},
      {"good", "bad", false},
      {"is a very good", "this film is a very good one", true},
      {"a good", "a good film", false},  // two words are a part by chance
      {"a good film", "not a goodfilm", false},
      {"how hot should the oven be when baking oat muffins",
       "how hot should an oven be when making oat muffins", true},
      {"please activate the card that came today", "card that came today: activate the, please",
       true},
      {"how hot should the oven be", "when does the train to paris leave", false},
      {"\xC3\x89t\xC3\xA9 en France", "\xC3\xA9T\xC3\x89, en france", true},
      {"\xE6\x88\x91\xE7\x88\xB1\xE7\x94\xB5\xE5\xBD\xB1\xE3\x80\x82",
       "\xE6\x88\x91\xE7\x88\xB1\xE7\x94\xB5\xE5\xBD\xB1", true},
  };
  for (const Pair& pair : pairs) {
    INFO(pair.text, " | ", pair.other);
    CHECK(are_held_together(pair.text, pair.other) == pair.are_together);
    CHECK(are_held_together(pair.other, pair.text) == pair.are_together);
  }
}

TEST_CASE("texts of one pattern are apart, as are those of few words in another order") {
  Texts pattern;
  Texts toys;
  const Texts words = {"good", "bad", "film", "plot", "a", "the"};
  for (std::size_t i = 0; i < 60; ++i) {
    pattern.push_back("where is my order number " + std::to_string(i) + " please");
    toys.push_back(words[i % 6] + ' ' + words[i / 6 % 6] + ' ' + words[i / 10] + ' ' +
                   words[(i + i / 5) % 6]);
  }
  for (const Texts& texts : {pattern, toys}) {
    std::set<std::uint64_t> groups;
    for (const LabelledRow& row : grouped_rows(texts)) groups.insert(row.held_with());
    CHECK(groups.size() + 5 > std::set<std::string>(texts.begin(), texts.end()).size());
  }
}

TEST_CASE("groups grow by what links them, and rows alone have none") {
  CHECK(are_together(grouped_rows(
      {"one of the best", "it is one of the best films", "The best films", "the best FILMS!"})));
  for (const LabelledRow& row : grouped_rows({"same text", "same text", "other"})) {
    CHECK(row.group == 0);
  }
  CHECK(grouped_rows({}).empty());
}

TEST_CASE("pairs are equal or similar as a whole") {
  std::vector<LabelledRow> rows = grouped_rows({"a b c d", "a b c", "A b c d", "a b c d"});
  for (LabelledRow& row : rows) {
    row.group = 0;
    row.input.pair = "e";
  }
  rows[3].input.pair = "f";
  rows[3].key = 9;
  group_similar_texts(rows);
  CHECK(rows[0].held_with() == rows[2].held_with());
  CHECK(rows[0].held_with() != rows[1].held_with());
  CHECK(rows[0].held_with() != rows[3].held_with());
}

TEST_CASE("the work does not grow with the text times the number of lengths") {
  Texts texts = {"a a a"};
  while (texts.size() < 4000) texts.push_back(texts.back() + " a");
  std::string longest;
  for (std::size_t i = 0; i < 60'000; ++i) longest += "a ";
  texts.push_back(longest);
  CHECK(are_together(grouped_rows(texts)));
}

TEST_CASE("what the model does not read is no part") {
  std::vector<LabelledRow> rows = grouped_rows({"one two three four five six", "four five six"});
  CHECK(are_together(rows));
  for (LabelledRow& row : rows) row.group = 0;
  rows[0].tokens = {{1, 2, 3}, {0, 0, 0}, 3};
  rows[0].own = 3;
  rows[1].tokens = {{4, 5, 6}, {0, 0, 0}, 0};
  group_similar_texts(rows);
  CHECK(!are_together(rows));
}

}  // namespace
}  // namespace headlight::similar_texts_test
