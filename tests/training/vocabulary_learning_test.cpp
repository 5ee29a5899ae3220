#include "training/rows/vocabulary_learning.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"

namespace headlight::vocabulary_learning_test {
namespace {

using Tokens = std::vector<std::string>;
using Type = TokenizerSettings::Type;

Tokens learned(const VocabularyRequest& request, const Tokens& texts) {
  VocabularyLearning learning(request);
  for (const std::string& text : texts) learning.read(text);
  return learning.learn();
}

VocabularyRequest request_of(Type type, std::size_t size) {
  VocabularyRequest request;
  request.tokenizer.type = type;
  request.size = size;
  return request;
}

TEST_CASE("words are ordered by their number, then by their bytes; words seen once are left out") {
  const Tokens texts = {"b a, b", "c b a", "once c", "twice! twice!"};
  CHECK(learned(request_of(Type::whitespace, 100), texts) == Tokens{"[UNK]", "b", "c", "twice!"});
  CHECK(learned(request_of(Type::words, 100), texts) ==
        Tokens{"[UNK]", "b", "!", "a", "c", "twice"});
  CHECK(learned(request_of(Type::words, 3), texts) == Tokens{"[UNK]", "b", "!"});
}

TEST_CASE("texts are normalized as the tokenizer does it") {
  VocabularyRequest request = request_of(Type::words, 100);
  request.tokenizer.lowercase = true;
  request.tokenizer.strip_accents = true;
  request.tokenizer.remove_punctuation = true;
  CHECK(learned(request, {"Déjà vu?", "deja VU!"}) == Tokens{"[UNK]", "deja", "vu"});
}

TEST_CASE("a vocabulary has the special tokens that the tokenizer uses") {
  VocabularyRequest request = request_of(Type::whitespace, 100);
  request.tokenizer.unk_token = std::nullopt;
  CHECK(learned(request, {"a a"}) == Tokens{"a"});
  request.tokenizer.add_special_tokens = true;
  request.pad = 0;
  CHECK(learned(request, {"a a [PAD] [PAD]"}) == Tokens{"[PAD]", "[CLS]", "[SEP]", "a"});
  request.pad = 2;
  CHECK(learned(request, {"a a"}) == Tokens{"[CLS]", "[SEP]", "[PAD]", "a"});
  CHECK(learned(request_of(Type::wordpiece, 9), {"ab ab"}) ==
        Tokens{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "##b", "ab"});
}

TEST_CASE("pieces are merges of the most frequent pairs") {
  // Pairs: a##b 5 + 2, ##b##c 2, b##a 1. Then ab##c 2.
  const std::vector<CountedWord> words = {{U"ab", 5}, {U"abc", 2}, {U"ba", 1}};
  const Tokens characters = {"a", "b", "c", "##a", "##b", "##c"};
  Tokens expected = characters;
  CHECK(learn_pieces(words, 6) == expected);
  expected.emplace_back("ab");
  CHECK(learn_pieces(words, 7) == expected);
  expected.emplace_back("abc");
  CHECK(learn_pieces(words, 8) == expected);
  CHECK(learn_pieces(words, 100) == expected);  // b##a occurs once
}

TEST_CASE("a repeated pair is merged from the left") {
  // a##a##a##a##a → a##aa##aa; both pairs are equally frequent, and a has the lower id.
  const std::vector<CountedWord> words = {{U"aaaaa", 4}};
  CHECK(learn_pieces(words, 100) == Tokens{"a", "##a", "##aa", "aaa", "aaaaa"});
}

TEST_CASE("of pairs with the same number, the one with the lower pieces comes first") {
  const std::vector<CountedWord> words = {{U"cd", 3}, {U"ab", 3}};
  CHECK(learn_pieces(words, 8) == Tokens{"a", "b", "c", "d", "##b", "##d", "ab", "cd"});
}

TEST_CASE("words with rare characters do not spoil the vocabulary") {
  std::vector<CountedWord> words = {{U"ab", 50}};
  for (char32_t c = 0x4E00; c < 0x4E00 + 3000; ++c) words.push_back({std::u32string(1, c), 1});
  const Tokens pieces = learn_pieces(words, 100);
  CHECK(pieces.size() == 52);  // half of them characters, then ##b and ab
  CHECK(pieces.front() == "a");
  CHECK(pieces.back() == "ab");
}

TEST_CASE("a vocabulary does not depend on the order of the texts") {
  const Tokens texts = {"the unaffable fable", "an able table", "unable to enable the cable"};
  const Tokens reversed(texts.rbegin(), texts.rend());
  const auto request = request_of(Type::wordpiece, 60);
  CHECK(learned(request, texts) == learned(request, reversed));
}

TEST_CASE("pieces and n-grams of characters need no word that occurs twice") {
  CHECK(learned(request_of(Type::wordpiece, 100), {"abc abd"}).back() == "ab");
  VocabularyRequest request = request_of(Type::words, 100);
  request.tokenizer.character_ngrams = {2, 5, 100};
  CHECK(learned(request, {"abab cdcd"}) == Tokens{"[UNK]"});
  VocabularyLearning learning(request);
  learning.read("éa b b b");
  const WordCounts counts = learning.counts();
  CHECK(counts.all == 4);
  CHECK(counts.once == 1);
  CHECK(counts.characters == 3);
  CHECK(counts.unseen_share() == 0.25);
}

TEST_CASE("a vocabulary without words is an error") {
  CHECK(error_of([] {
          learned(request_of(Type::words, 100), {" ", ""});
        }) == "cannot learn a vocabulary: no word occurs twice in the texts");
  CHECK(error_of([] { learned(request_of(Type::words, 100), {"a b c"}); }) ==
        "cannot learn a vocabulary: no word occurs twice in the texts");
  CHECK(error_of([] { learned(request_of(Type::wordpiece, 5), {"a a"}); }) ==
        "a vocabulary of 5 tokens has no room for words; it has 5 special tokens: [PAD], [UNK], "
        "[CLS], [SEP], [MASK]");
  CHECK(error_of([] { learned(request_of(Type::words, 100), {"\xff"}); }) != "");
}

}  // namespace
}  // namespace headlight::vocabulary_learning_test
