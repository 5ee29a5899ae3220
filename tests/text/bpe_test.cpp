// BPE on single words: by hand, against a naive merger, and read from vocab.json and merges.txt.
#include "text/models/bpe.h"

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "base/utf8.h"
#include "text/files/json_bpe.h"
#include "text_support.h"

namespace headlight::bpe_test {
namespace {

using Tokens = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Merges of tokens that are all in `tokens`, whose indices are the ids.
BPE make_bpe(const Tokens& tokens, const Pairs& pairs, BPE::Options options = {}) {
  Vocabulary vocabulary(tokens);
  std::vector<BPE::Merge> merges;
  for (const auto& [left, right] : pairs) {
    const std::string rest = right.substr(options.continuing_subword_prefix.size());
    merges.push_back({vocabulary.id(left).value(), vocabulary.id(right).value(),
                      vocabulary.id(left + rest).value()});
  }
  return BPE(std::move(vocabulary), merges, std::move(options));
}

/// "lo@0-2 w@2-3"
std::string pieces_of(const WordModel& model, std::u32string_view word) {
  std::vector<WordToken> tokens;
  model.tokenize(word, tokens);
  Tokens shown;
  for (const auto& [id, span, spelling] : tokens) {
    CHECK(spelling == WordToken::Spelling::token);
    shown.push_back(*model.vocabulary().token(id) + "@" + std::to_string(span.begin) + "-" +
                    std::to_string(span.end));
  }
  return joined(shown, " ");
}

/// The strongest merge of all, and of its places the leftmost, until there is none.
Tokens merge_naively(Tokens word, const Pairs& pairs) {
  while (true) {
    auto strongest = pairs.end();
    std::size_t place = 0;
    for (std::size_t i = 0; i + 1 < word.size(); ++i) {
      const auto found = std::find(pairs.begin(), pairs.end(), std::pair(word[i], word[i + 1]));
      if (found >= strongest) continue;
      strongest = found;
      place = i;
    }
    if (strongest == pairs.end()) return word;
    word[place] += word[place + 1];
    word.erase(word.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
}

}  // namespace

TEST_CASE("the merge learned first goes first, the leftmost of equals before the others") {
  const Tokens tokens = {"s", "l", "o", "w", "e", "r", "lo", "low", "er", "we", "oo", "ooo"};
  const BPE model = make_bpe(tokens, {{"l", "o"}, {"lo", "w"}, {"e", "r"}, {"w", "e"}, {"o", "o"}});
  CHECK(pieces_of(model, U"slow") == "s@0-1 low@1-4");
  CHECK(pieces_of(model, U"lower") == "low@0-3 er@3-5");
  CHECK(pieces_of(model, U"sweo") == "s@0-1 we@1-3 o@3-4");
  CHECK(pieces_of(model, U"ooo") == "oo@0-2 o@2-3");
  CHECK(pieces_of(model, U"w") == "w@0-1");
}

TEST_CASE("of a repeated merge the last place counts") {
  const BPE model = make_bpe({"a", "b", "c", "ab", "bc"}, {{"a", "b"}, {"b", "c"}, {"a", "b"}});
  CHECK(pieces_of(model, U"abc") == "a@0-1 bc@1-3");
}

TEST_CASE("the same merges as by searching the whole word again each time") {
  std::mt19937 random(7);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  for (int round = 0; round < 200; ++round) {
    Tokens tokens = {"a", "b", "c", "é"};
    Pairs pairs;
    while (pairs.size() < 12) {
      std::pair pair(tokens[below(tokens.size())], tokens[below(tokens.size())]);
      if (std::find(pairs.begin(), pairs.end(), pair) != pairs.end()) continue;
      const std::string merged = pair.first + pair.second;
      if (std::find(tokens.begin(), tokens.end(), merged) == tokens.end()) tokens.push_back(merged);
      pairs.push_back(std::move(pair));
    }
    const BPE model = make_bpe(tokens, pairs);
    for (int word = 0; word < 20; ++word) {
      Tokens characters;
      for (std::size_t i = below(40); i-- > 0;) characters.push_back(tokens[below(4)]);
      if (characters.empty()) continue;
      std::vector<WordToken> found;
      model.tokenize(to_code_points(joined(characters, "")), found);
      Tokens shown;
      for (const WordToken& token : found) shown.push_back(tokens[token.id]);
      CHECK(joined(shown) == joined(merge_naively(characters, pairs)));
    }
  }
}

TEST_CASE("a word of a million characters takes moments") {
  Tokens tokens = {"a"};
  Pairs pairs;
  for (int i = 0; i < 10; ++i) {
    pairs.emplace_back(tokens.back(), tokens.back());
    tokens.push_back(tokens.back() + tokens.back());
  }
  std::vector<WordToken> found;
  make_bpe(tokens, pairs).tokenize(std::u32string((1U << 20U) + 1, U'a'), found);
  CHECK(found.size() == 1025);
  CHECK(found.front().id == 10);
  CHECK(found.back().id == 0);
}

TEST_CASE("unknown characters") {
  const Tokens tokens = {"?", "a", "b", "ab", "??", "<0xC3>", "<0xA9>"};
  const Pairs pairs = {{"a", "b"}, {"?", "?"}};
  struct Row {
    const char* what;
    BPE::Options options;
    std::u32string word;
    const char* expected;
  };
  const Row rows[] = {
      {"a token each, which merges may take", {.unk_token = "?"}, U"axyab", "a@0-1 ??@1-3 ab@3-5"},
      {"one for neighbours", {.unk_token = "?", .fuse_unk = true}, U"xyaz", "?@0-2 a@2-3 ?@3-4"},
      // The spans of what follows are as if nothing had been left out.
      {"left out", {.unk_token = std::nullopt}, U"axb中", "ab@0-2"},
      {"left out, all", {.unk_token = std::nullopt}, U"xyz", ""},
      {"as bytes, each covers the character",
       {.unk_token = "?", .byte_fallback = true},
       U"aéb",
       "a@0-1 <0xC3>@1-2 <0xA9>@1-2 b@2-3"},
      {"bytes that are not all tokens", {.unk_token = "?", .byte_fallback = true}, U"è", "?@0-1"},
      // The reference adds bytes before the unknown token that should precede them.
      {"bytes after an unknown character",
       {.unk_token = "?", .byte_fallback = true},
       U"xéa",
       "<0xC3>@0-1 <0xA9>@1-2 ?@1-2 a@2-3"},
  };
  for (const auto& [what, options, word, expected] : rows) {
    CAPTURE(what);
    CHECK(pieces_of(make_bpe(tokens, pairs, options), word) == expected);
  }
}

TEST_CASE("prefixes and suffixes mark where in the word a symbol stands") {
  const Tokens tokens = {"a", "b", "##b", "ab", "##b</w>", "a</w>", "ab</w>", "##</w>"};
  const BPE model = make_bpe(
      tokens, {{"a", "##b</w>"}, {"a", "##b"}},
      {.unk_token = std::nullopt, .continuing_subword_prefix = "##", .end_of_word_suffix = "</w>"});
  CHECK(pieces_of(model, U"ab") == "ab</w>@0-2");
  CHECK(pieces_of(model, U"abb") == "ab@0-2 ##b</w>@2-3");
  CHECK(pieces_of(model, U"a") == "a</w>@0-1");
}

TEST_CASE("a whole word that is a token needs no merges, where the file says so") {
  const Tokens tokens = {"a", "b", "ab"};
  CHECK(pieces_of(make_bpe(tokens, {}), U"ab") == "a@0-1 b@1-2");
  const BPE model = make_bpe(tokens, {}, {.unk_token = std::nullopt, .ignore_merges = true});
  CHECK(pieces_of(model, U"ab") == "ab@0-2");
  CHECK(pieces_of(model, U"aba") == "a@0-1 b@1-2 a@2-3");
}

TEST_CASE("bytes of an affix that have no place in the word stay inside the word") {
  // The reference's offsets run past the end here.
  const BPE model = make_bpe(
      {"a", "<0x62>", "<0x5F>"}, {},
      {.unk_token = std::nullopt, .continuing_subword_prefix = "_", .byte_fallback = true});
  CHECK(pieces_of(model, U"ab") == "a@0-1 <0x5F>@1-2 <0x62>@1-2");
}

TEST_CASE("an unknown token that is not there is missed only when needed") {
  const BPE model = make_bpe({"a"}, {}, {.unk_token = "[UNK]"});
  CHECK(pieces_of(model, U"a") == "a@0-1");
  CHECK_THROWS_AS(pieces_of(model, U"ax"), TextError);
}

TEST_CASE("vocab.json and merges.txt") {
  const TemporaryFolder folder;
  const std::string vocabulary =
      folder.write("vocab.json", R"({"a": 0, "b": 1, "Ġ": 7, "ab": 3, "abb": 2, "#": 4, "#b": 5})");
  struct Row {
    const char* merges;
    const char* expected;  // the pieces of "abb", or the complaint
  };
  const Row rows[] = {
      {"#version: 0.2\na b\nab b\n", "abb@0-3"},
      {"a b\n#version again\nab b", "abb@0-3"},
      {"#version: 0.2\r\na b\r\nab b\r\n", "abb@0-3"},
      {"", "a@0-1 b@1-2 b@2-3"},
      {"# b\n", "a@0-1 b@1-2 b@2-3"},
      {"a b\n\nab b\n", R"(line 2: found "", expected two tokens separated by a space)"},
      {"a b\nab\n", R"(line 2: found "ab", expected two tokens separated by a space)"},
      {"a b c\n", R"(line 1: found "a b c", expected two tokens separated by a space)"},
      {"#version\na c\n", R"(line 2: "c" is not in the vocabulary)"},
      {"b b\n", R"(line 1: "bb" is not in the vocabulary)"},
      {"a b\r", R"(line 1: "b\r" is not in the vocabulary)"},
      {"a \xff\n", "not valid UTF-8 at byte 2"},
  };
  for (const auto& [merges, expected] : rows) {
    CAPTURE(printable(merges));
    const std::string file = folder.write("merges.txt", merges);
    std::string found;
    try {
      found = pieces_of(*read_bpe_files(vocabulary, file, {}), U"abb");
    } catch (const Error& error) {
      found = error.line().substr(file.size() + 2);
    }
    CHECK(found == expected);
  }
}

TEST_CASE("a vocab.json that is broken") {
  const TemporaryFolder folder;
  const std::string merges = folder.write("merges.txt", "");
  for (const char* content : {"", "[]", "{}", R"({"a": "b"})", R"({"a": -1})", R"({"a": 1.5})"}) {
    CAPTURE(content);
    const std::string vocabulary = folder.write("vocab.json", content);
    CHECK_THROWS_AS(read_bpe_files(vocabulary, merges, {}), Error);
  }
}

}  // namespace headlight::bpe_test
