#include "classifier/token_ids.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "text/files/native_tokenizer.h"

namespace headlight {
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
    const Encoding encoding = read_token_ids(text, std::nullopt, std::nullopt, std::nullopt);
    CHECK(encoding.ids == ids);
    CHECK(encoding.offsets == offsets);
    CHECK(encoding.type_ids == std::vector<TokenId>(ids.size(), 0));
    CHECK(encoding.truncated == 0);
  }
}

TEST_CASE("what is no whole number of 32 bits is said") {
  const std::string expected =
      "\", expected token ids: whole numbers with blanks or commas between";
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
    CHECK(error_of([&, &ids = text] {
            read_token_ids(ids, std::nullopt, std::nullopt, std::nullopt);
          }) == "found \"" + word + expected);
  }
}

TEST_CASE("type ids are as many as ids, and are cut with them") {
  const Encoding encoding = read_token_ids("5 6 7", "0,0,1", std::nullopt, 2);
  CHECK(encoding.ids == std::vector<TokenId>{5, 6});
  CHECK(encoding.type_ids == std::vector<TokenId>{0, 0});
  CHECK(encoding.tokens == std::vector<std::string>{"5", "6"});
  CHECK(encoding.truncated == 1);
  CHECK(error_of([] { read_token_ids("5 6 7", "0 1", std::nullopt, std::nullopt); }) ==
        "has 3 token ids, but 2 type ids");
}

TEST_CASE("an id is shown as the vocabulary's token, where it has one") {
  TokenizerSettings settings;
  settings.type = TokenizerSettings::Type::whitespace;
  const std::optional<Tokenizer> words = make_native_tokenizer(settings, {"a", "b"}, "w");
  const Encoding encoding = read_token_ids("1 0 2", std::nullopt, words, std::nullopt);
  CHECK(encoding.tokens == std::vector<std::string>{"b", "a", "2"});
}

}  // namespace
}  // namespace headlight
