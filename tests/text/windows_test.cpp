// Windows over long texts, by hand; tests/golden/windows.json has the reference's.
#include "text/windows.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "text_support.h"

namespace headlight::windows_test {
namespace {

/// "90 0 1 2 91": `length` tokens between two special ones.
TokenWindows windows_over(std::size_t length, std::size_t room, std::size_t step, bool from_end) {
  TokenWindows windows;
  windows.whole.ids.push_back(90);
  for (std::size_t i = 0; i < length; ++i) windows.whole.ids.push_back(static_cast<TokenId>(i));
  windows.whole.ids.push_back(91);
  windows.whole.type_ids.assign(length + 2, 0);
  windows.whole.type_ids.back() = 1;
  windows.begin = 1;
  windows.end = 1 + length;
  windows.room = room;
  windows.step = step;
  windows.from_end = from_end;
  return windows;
}

TEST_CASE("windows cover a text from one end to the other and share what is asked for") {
  struct Row {
    std::size_t length;
    std::size_t room;
    std::size_t step;
    std::string from_begin;
    std::string from_end;
  };
  const Row rows[] = {
      {3, 3, 2, "0 1 2", "0 1 2"},
      {4, 3, 2, "0 1 2|2 3", "0 1|1 2 3"},
      {5, 3, 2, "0 1 2|2 3 4", "0 1 2|2 3 4"},
      {6, 3, 2, "0 1 2|2 3 4|4 5", "0 1|1 2 3|3 4 5"},
      {6, 3, 3, "0 1 2|3 4 5", "0 1 2|3 4 5"},
      {7, 3, 3, "0 1 2|3 4 5|6", "0|1 2 3|4 5 6"},
      {4, 2, 1, "0 1|1 2|2 3", "0 1|1 2|2 3"},
      {3, 1, 1, "0|1|2", "0|1|2"},
      {2, 1, 0, "0 1", "0 1"},
  };
  for (const auto& row : rows) {
    for (const bool from_end : {false, true}) {
      const TokenWindows windows = windows_over(row.length, row.room, row.step, from_end);
      std::vector<std::string> found;
      for (std::size_t i = 0; i < windows.count(); ++i) {
        const TokenIds window = windows.window(i);
        const std::string ids = numbers_of(window.ids);
        REQUIRE(ids.starts_with("90 "));
        REQUIRE(ids.ends_with(" 91"));
        CHECK(window.type_ids.size() == window.size());
        CHECK(window.type_ids.back() == 1);
        found.push_back(ids.substr(3, ids.size() - 6));
      }
      CHECK(joined(found) == (from_end ? row.from_end : row.from_begin));
    }
  }
}

TEST_CASE("windows move over the text that would be cut, and there are none where both would be") {
  constexpr auto kLongest = Truncation::longest_first;
  constexpr auto kFirst = Truncation::only_first;
  struct Row {
    Truncation how;
    PairLengths lengths;
    std::size_t budget;
    std::string moves;  // which text, and how many tokens a window holds of it
  };
  const Row rows[] = {
      {kLongest, {5, 0}, 5, "none"},     {kLongest, {6, 0}, 5, "first 5"},
      {kLongest, {6, 2}, 7, "first 5"},  {kLongest, {2, 6}, 7, "second 5"},
      {kLongest, {3, 9}, 7, "second 4"}, {kLongest, {0, 9}, 7, "second 7"},
      {kLongest, {9, 4}, 8, "first 4"},  {kFirst, {2, 6}, 7, "first 1"},
      {kFirst, {9, 6}, 7, "first 1"},    {kFirst, {1, 6}, 7, "none"},
  };
  for (const auto& [how, lengths, budget, moves] : rows) {
    CAPTURE(lengths.first);
    CAPTURE(lengths.second);
    const auto size = window_size(how, lengths, budget);
    const std::string text = size && size->moving == Sequence::first ? "first " : "second ";
    CHECK((size ? text + std::to_string(size->room) : "none") == moves);
  }
}

TEST_CASE("where no window could hold something new, both numbers are said") {
  struct Row {
    PairLengths lengths;
    std::size_t budget;
    std::optional<std::size_t> stride;
    std::string error;
  };
  const std::string half =
      " tokens in the shorter text of the pair, which each window contains completely; the limit "
      "is half of the ";
  const Row rows[] = {
      {{9, 5}, 8, {}, "has 5" + half + "8 tokens of a window without the special tokens"},
      {{5, 9}, 8, {}, "has 5" + half + "8 tokens of a window without the special tokens"},
      {{5, 0}, 0, {}, "has 5 tokens, but a window has only room for the special tokens"},
      {{9, 0},
       4,
       4,
       "windows hold 4 of its tokens, so a stride of 4 leaves no new tokens for "
       "the next window"},
      {{9, 0}, 4, 3, ""},
      {{9, 0}, 1, {}, ""},
      {{4, 9},
       8,
       4,
       "windows hold 4 of its tokens, so a stride of 4 leaves no new tokens for "
       "the next window"},
      {{3, 9}, 8, 4, ""},
  };
  for (const auto& [lengths, budget, stride, error] : rows) {
    CAPTURE(lengths.first);
    CAPTURE(budget);
    CHECK(error_of([&, &lengths = lengths, &budget = budget, &stride = stride] {
            shared_tokens(stride, window_size(Truncation::longest_first, lengths, budget)->room);
          }) == error);
  }
  CHECK(shared_tokens({}, 510) == 127);
  CHECK(shared_tokens({}, 3) == 0);
  CHECK(shared_tokens(0, 510) == 0);
}

}  // namespace
}  // namespace headlight::windows_test
