#include "text/typed_ids.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"

namespace headlight::typed_ids_test {
namespace {

TEST_CASE("ids stand between blanks, tabs and commas, and their offsets are where they are typed") {
  struct Row {
    std::string text;
    std::vector<TokenId> ids;
    std::vector<Offset> offsets;
  };
  const Row rows[] = {
      {"", {}, {}},
      {" , ", {}, {}},
      {"7", {7}, {{0, 1}}},
      {"101 2023,102", {101, 2023, 102}, {{0, 3}, {4, 8}, {9, 12}}},
      {", 1 ,\t2,,", {1, 2}, {{2, 3}, {6, 7}}},
      {"007 4294967295", {7, 4294967295}, {{0, 3}, {4, 14}}},
  };
  for (const auto& [text, ids, offsets] : rows) {
    CAPTURE(text);
    const TypedIds typed = parse_typed_ids(text, std::nullopt);
    CHECK(typed.ids == ids);
    CHECK(typed.offsets == offsets);
    CHECK(typed.type_ids == std::vector<TokenId>(ids.size(), 0));
  }
}

TEST_CASE("what is no whole number of 32 bits is said") {
  const std::string expected =
      "\", expected token ids: whole numbers from 0 to 4294967295, separated by spaces or commas";
  struct Row {
    std::string text;
    std::string word;
  };
  const Row rows[] = {
      {"1 2x", "2x"},    {"-1", "-1"},
      {"+1", "+1"},      {"1.0", "1.0"},
      {"1;2", "1;2"},    {"4294967296", "4294967296"},
      {"1\n2", "1\\n2"}, {"\x1B[1m", "\\x1b[1m"},
  };
  for (const auto& [text, word] : rows) {
    CHECK(error_of([&, &ids = text] { parse_typed_ids(ids, std::nullopt); }) ==
          "found \"" + word + expected);
    CHECK(error_of([&, &types = text] { parse_typed_ids("1", types); }) ==
          "found \"" + word + expected);
  }
}

TEST_CASE("type ids are as many as ids") {
  CHECK(parse_typed_ids("5 6 7", "0,0,1").type_ids == std::vector<TokenId>{0, 0, 1});
  CHECK(error_of([] { parse_typed_ids("5 6 7", "0 1"); }) == "has 3 token ids, but 2 type ids");
}

}  // namespace
}  // namespace headlight::typed_ids_test
