// WordPiece and WordLevel on single words, by hand.
#include "text/models/word_model.h"

#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/utf8.h"
#include "text/models/ngram_words.h"
#include "text_support.h"

namespace headlight::word_model_test {
namespace {

/// "un@0-2 ##aff@2-5"
std::string pieces_of(const WordModel& model, std::u32string_view word) {
  std::vector<WordToken> tokens;
  model.tokenize(word, tokens);
  std::vector<std::string> shown;
  for (const auto& [id, span, spelling] : tokens) {
    CHECK(spelling == WordToken::Spelling::token);
    shown.push_back(*model.vocabulary().token(id) + "@" + std::to_string(span.begin) + "-" +
                    std::to_string(span.end));
  }
  return joined(shown, " ");
}

Vocabulary vocabulary() {
  return Vocabulary(std::vector<std::string>{"[UNK]", "un", "##aff", "##able", "a", "##a", "##é",
                                             "é", "##x", "unx", "able"});
}

}  // namespace

TEST_CASE("WordPiece takes the longest piece from the left") {
  const WordPiece model(vocabulary(), "[UNK]");
  CHECK(pieces_of(model, U"unaffable") == "un@0-2 ##aff@2-5 ##able@5-9");
  CHECK(pieces_of(model, U"able") == "able@0-4");
  CHECK(pieces_of(model, U"éaé") == "é@0-1 ##a@1-2 ##é@2-3");
  CHECK(pieces_of(model, U"unx") == "unx@0-3");
}

TEST_CASE("a word without such pieces is unknown as a whole") {
  const WordPiece model(vocabulary(), "[UNK]");
  CHECK(pieces_of(model, U"unaffabler") == "[UNK]@0-10");
  CHECK(pieces_of(model, U"中") == "[UNK]@0-1");
}

TEST_CASE("a word of more than 100 characters is unknown, bytes don't count") {
  const WordPiece model(vocabulary(), "[UNK]");
  CHECK(pieces_of(model, std::u32string(101, U'a')) == "[UNK]@0-101");
  CHECK(pieces_of(model, std::u32string(101, U'é')) == "[UNK]@0-101");
  std::vector<WordToken> tokens;
  model.tokenize(std::u32string(100, U'é'), tokens);
  CHECK(tokens.size() == 100);
}

TEST_CASE("n-grams of characters follow a word, with its ends marked, by the hash of fastText") {
  const NgramWords model(Vocabulary(std::vector<std::string>{"[UNK]", "né"}), "[UNK]",
                         {2, 3, 1000});
  const auto shown = [&](std::u32string_view word) {
    std::vector<WordToken> tokens;
    model.tokenize(word, tokens);
    std::string text;
    for (const auto& [id, span, spelling] : tokens) {
      const bool begins =
          spelling == marked_spelling(true, false) || spelling == marked_spelling(true, true);
      const bool ends =
          spelling == marked_spelling(false, true) || spelling == marked_spelling(true, true);
      const std::string ngram = (begins ? "<" : "") +
                                to_utf8(word.substr(span.begin, span.end - span.begin)) +
                                (ends ? ">" : "");
      text += ngram + " ";
      if (spelling != WordToken::Spelling::token) CHECK(id == 2 + fasttext_hash(ngram) % 1000);
    }
    return text;
  };
  CHECK(shown(U"né") == "né <n <né né né> é> ");
  CHECK(shown(U"a") == "<a <a> a> ");
  CHECK(shown(U"中文字") == "<中 <中文 中文 中文字 文字 文字> 字> ");
  const NgramWords longer(Vocabulary(std::vector<std::string>{"[UNK]"}), "[UNK]", {4, 4, 7});
  std::vector<WordToken> tokens;
  longer.tokenize(U"a", tokens);
  REQUIRE(tokens.size() == 1);
  CHECK(tokens[0].id == 0);
}

TEST_CASE("the continuation and the limit can be others") {
  const WordPiece model(Vocabulary(std::vector<std::string>{"?", "a", "b", "_b"}), "?", "_", 3);
  CHECK(pieces_of(model, U"abb") == "a@0-1 _b@1-2 _b@2-3");
  CHECK(pieces_of(model, U"abbb") == "?@0-4");
  const WordPiece bare(Vocabulary(std::vector<std::string>{"?", "a", "b"}), "?", "");
  CHECK(pieces_of(bare, U"ab") == "a@0-1 b@1-2");
}

TEST_CASE("of a repeated continuation the last id is taken") {
  const WordPiece model(Vocabulary(std::vector<std::string>{"a", "##b", "##b"}), std::nullopt);
  std::vector<WordToken> tokens;
  model.tokenize(U"ab", tokens);
  REQUIRE(tokens.size() == 2);
  CHECK(tokens[1].id == 2);
}

TEST_CASE("WordLevel: a word is a token or unknown") {
  const WordLevel model(vocabulary(), "[UNK]");
  CHECK(pieces_of(model, U"able") == "able@0-4");
  CHECK(pieces_of(model, U"ables") == "[UNK]@0-5");
}

TEST_CASE("without an unknown token unknown words are left out") {
  CHECK(pieces_of(WordLevel(vocabulary(), std::nullopt), U"zebra").empty());
  CHECK(pieces_of(WordPiece(vocabulary(), std::nullopt), U"unz").empty());
}

TEST_CASE("an unknown token that is not there is missed only when needed") {
  const WordPiece model(Vocabulary(std::vector<std::string>{"a"}), "[UNK]");
  CHECK(pieces_of(model, U"a") == "a@0-1");
  CHECK_THROWS_WITH_AS(pieces_of(model, U"zebra"),
                       "\"zebra\" is not in the vocabulary, and neither is \"[UNK]\", the token "
                       "for unknown words",
                       TextError);
}

}  // namespace headlight::word_model_test
