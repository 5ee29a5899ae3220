// Which rows are held out if some are a part of others.
#include "training/rows/nested_texts.h"

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace headlight::nested_texts_test {
namespace {

struct Held {
  std::string text;
  bool before;
  bool after;
};

void check_held(const std::vector<Held>& wanted) {
  std::vector<LabelledRow> rows;
  std::vector<bool> held;
  for (const Held& each : wanted) {
    rows.emplace_back().input.text = each.text;
    held.push_back(each.before);
  }
  hold_parts_together(rows, held);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    INFO(wanted[i].text);
    CHECK(held[i] == wanted[i].after);
  }
}

TEST_CASE("a part goes where its text goes") {
  check_held({{"a film that is good", true, true},
              {"that is good", false, true},
              {"is good", false, false},
              {"a dull and long film", false, false},
              {"dull and long", true, false},
              {"hat is good", true, true},
              {"another text", true, true}});
}

TEST_CASE("a part of texts on both sides is not held, nor what is a part of it") {
  check_held({{"one of the best films", true, true},
              {"it is one of the best", false, false},
              {"one of the best", true, false},
              {"one  of\tthe", true, false},
              {"of the best films", false, true}});
}

TEST_CASE("equal texts, empty ones and pairs stay as they are") {
  check_held({{"", true, true},
              {"the same three words", true, true},
              {"the same three words", false, false}});
  std::vector<LabelledRow> rows(2);
  rows[0].input.text = "a b c d";
  rows[0].input.pair = "e";
  rows[1].input.text = "a b c";
  std::vector<bool> held = {true, false};
  hold_parts_together(rows, held);
  CHECK(held == std::vector<bool>{true, false});
  hold_parts_together({}, held = {});
}

TEST_CASE("the work does not grow with the text times the number of lengths") {
  std::vector<LabelledRow> rows(4000);
  std::string text = "a a a";
  for (LabelledRow& row : rows) row.input.text = text += " a";
  rows.front().input.text = "a a a";
  LabelledRow& longest = rows.emplace_back();
  for (std::size_t i = 0; i < 60'000; ++i) longest.input.text += "a ";
  std::vector<bool> held(rows.size(), true);
  held.back() = false;
  hold_parts_together(rows, held);
  CHECK(std::ranges::none_of(held, [](bool each) { return each; }));
}

TEST_CASE("what the model does not read is no part") {
  std::vector<LabelledRow> rows(2);
  rows[0].input.text = "one two three four five six";
  rows[0].tokens = {{1, 2, 3}, {0, 0, 0}, 3};
  rows[0].own = 3;
  rows[1].input.text = "four five six";
  rows[1].tokens = {{4, 5, 6}, {0, 0, 0}, 0};
  std::vector<bool> held = {true, false};
  hold_parts_together(rows, held);
  CHECK(!held[1]);
}

}  // namespace
}  // namespace headlight::nested_texts_test
