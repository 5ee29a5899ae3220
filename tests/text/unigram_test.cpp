// Unigram on single words: by hand, and against every way to cut a word.
#include "text/models/unigram.h"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/utf8.h"
#include "text_support.h"

namespace headlight::unigram_test {
namespace {

using Pieces = std::vector<Unigram::Piece>;

/// "ab@0-2 c@2-3"; an unknown part is shown as the word has it, in brackets.
std::string pieces_of(const Unigram& model, std::u32string_view word) {
  std::vector<WordToken> tokens;
  model.tokenize(word, tokens);
  std::vector<std::string> shown;
  for (const auto& [id, span, spelling] : tokens) {
    const bool as_word = spelling == WordToken::Spelling::word;
    const std::string token =
        as_word ? "[" + to_utf8(word.substr(span.begin, span.end - span.begin)) + "]"
                : *model.vocabulary().token(id);
    shown.push_back(token + "@" + std::to_string(span.begin) + "-" + std::to_string(span.end));
  }
  return joined(shown, " ");
}

/// The best sum of all ways to cut `word`, where `unknown` is the score of a character that is no
/// piece.
double best_sum(const std::map<std::string, double>& scores, double unknown,
                const std::string& word) {
  if (word.empty()) return 0;
  double best = -1e300;
  for (std::size_t bytes = 1; bytes <= word.size(); ++bytes) {
    const auto piece = scores.find(word.substr(0, bytes));
    if (piece == scores.end() && bytes > 1) continue;
    const double score = piece == scores.end() ? unknown : piece->second;
    best = std::max(best, score + best_sum(scores, unknown, word.substr(bytes)));
  }
  return best;
}

}  // namespace

TEST_CASE("the pieces whose scores have the largest sum") {
  const Unigram model({{"<unk>", 0}, {"a", -1}, {"b", -1}, {"ab", -3}, {"bc", -2}, {"é", -1}}, 0,
                      false);
  CHECK(pieces_of(model, U"abc") == "a@0-1 bc@1-3");
  CHECK(pieces_of(model, U"ab") == "a@0-1 b@1-2");
  CHECK(pieces_of(model, U"éab") == "é@0-1 a@1-2 b@2-3");
}

TEST_CASE("of equal sums the one whose last piece is longest") {
  const Unigram model({{"<unk>", 0}, {"a", -1}, {"aa", -2}, {"aaa", -3}}, 0, false);
  CHECK(pieces_of(model, U"aaa") == "aaa@0-3");
  CHECK(pieces_of(model, U"aaaa") == "a@0-1 aaa@1-4");
  CHECK(pieces_of(model, U"aaaaa") == "aa@0-2 aaa@2-5");
}

TEST_CASE("no way to cut a word has a larger sum") {
  std::mt19937 random(11);
  const auto letters = [&](std::size_t most) {
    std::string text(1 + random() % most, 'a');
    for (char& letter : text) letter = static_cast<char>('a' + random() % 3);
    return text;
  };
  for (int round = 0; round < 300; ++round) {
    Pieces pieces = {{"<unk>", -1}};
    std::map<std::string, double> scores;
    double unknown = -11;  // 10 below the lowest score
    for (int i = 0; i < 8; ++i) {
      const std::string piece = letters(4);
      if (scores.contains(piece)) continue;
      const double score = -static_cast<double>(random() % 9);
      scores[piece] = score;
      pieces.push_back({piece, score});
      unknown = std::min(unknown, score - 10);
    }
    const Unigram model(pieces, 0, false);
    const std::string word = letters(9);
    CAPTURE(word);
    std::vector<WordToken> tokens;
    model.tokenize(to_code_points(word), tokens);
    double sum = 0;
    std::uint32_t end = 0;
    for (const auto& [id, span, spelling] : tokens) {
      CHECK(span.begin == end);
      end = span.end;
      sum += id == 0 ? unknown * (span.end - span.begin) : pieces[id].score;
    }
    CHECK(end == word.size());
    CHECK(sum == best_sum(scores, unknown, word));
  }
}

TEST_CASE("unknown characters side by side are one token, spelled as the word has it") {
  const Unigram model({{"?", 0}, {"a", -1}, {"xyz", -60}}, 0, false);
  CHECK(pieces_of(model, U"axyaé") == "a@0-1 [xy]@1-3 a@3-4 [é]@4-5");
  CHECK(pieces_of(model, U"?x?") == "[?x?]@0-3");
  CHECK(pieces_of(model, U"a?") == "a@0-1 ?@1-2");
}

TEST_CASE("unknown characters that come to a piece are that piece") {
  // An unknown character has score 100 − 10, two of them beat the piece's 100.
  const Unigram model({{"?", 100}, {"xy", 100}}, 0, false);
  CHECK(pieces_of(model, U"xy") == "xy@0-2");
  CHECK(pieces_of(model, U"xyz") == "[xyz]@0-3");
}

TEST_CASE("an unknown part is its bytes, where all of them are pieces") {
  const Unigram model({{"?", 0}, {"a", -1}, {"<0xC3>", -1}, {"<0xA9>", -1}}, 0, true);
  CHECK(pieces_of(model, U"aé") == "a@0-1 <0xC3>@1-2 <0xA9>@1-2");
  CHECK(pieces_of(model, U"éé") == "<0xC3>@0-2 <0xA9>@0-2 <0xC3>@0-2 <0xA9>@0-2");
  CHECK(pieces_of(model, U"éè") == "[éè]@0-2");
}

TEST_CASE("without an unknown token such a text is an error") {
  const Unigram model({{"a", -1}, {"ab", -1}, {"b", -1}, {"cd", -1}}, std::nullopt, false);
  CHECK(pieces_of(model, U"abba") == "ab@0-2 b@2-3 a@3-4");
  CHECK_THROWS_WITH_AS(
      pieces_of(model, U"ax"),
      "\"x\" is not in the vocabulary, and there is no token for unknown characters", TextError);
  // So says the reference too, though there is a way without an unknown character.
  CHECK_THROWS_AS(pieces_of(model, U"cd"), TextError);
}

TEST_CASE("of a repeated piece the last one counts") {
  const Unigram model({{"?", 0}, {"a", -5}, {"b", -1}, {"ab", -2}, {"a", -1}}, 0, false);
  std::vector<WordToken> tokens;
  model.tokenize(U"ab", tokens);
  REQUIRE(tokens.size() == 1);  // −2 either way
  tokens.clear();
  model.tokenize(U"a", tokens);
  REQUIRE(tokens.size() == 1);
  CHECK(tokens[0].id == 4);
}

}  // namespace headlight::unigram_test
