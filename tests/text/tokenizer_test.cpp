// Native tokenizers from end to end, and the faults that other readers of these formats had.
#include "text/tokenizer.h"

#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "text/files/native_tokenizer.h"
#include "text_support.h"

namespace headlight::tokenizer_test {
namespace {

using Type = TokenizerSettings::Type;

const std::vector<std::string> kVocabulary = {
    "[PAD]",    "[UNK]", "[CLS]", "[SEP]", "[MASK]", "un", "##aff",  "##able",
    "a",        "b",     "##a",   "x",     "!",      ",",  "the",    "The",
    "cafe",     "café",  "Cafe",  "i",     "ハ",     "中", "\u1112", "##\u1161",
    "##\u11ab", "dont",  "don",   "'",     "t",      "σ",  "##x"};

Tokenizer make(const TokenizerSettings& settings) {
  return make_native_tokenizer(settings, kVocabulary, "config.json");
}

Encoding encode(const TokenizerSettings& settings, std::string_view text,
                std::optional<std::string_view> pair = std::nullopt,
                const EncodeOptions& options = {}) {
  return make(settings).encode(text, pair, options);
}

TokenizerSettings uncased() {
  TokenizerSettings settings;
  settings.lowercase = true;
  settings.strip_accents = std::nullopt;
  return settings;
}

TokenizerSettings words(Type type = Type::words) {
  TokenizerSettings settings;
  settings.type = type;
  return settings;
}

EncodeOptions cut_to(std::size_t max_length) {
  EncodeOptions options;
  options.max_length = max_length;
  return options;
}

EncodeOptions plain_text() {
  EncodeOptions options;
  options.plain_text = true;
  return options;
}

}  // namespace

TEST_CASE("a text and a pair") {
  const Encoding one = encode({}, "unaffable !");
  CHECK(tokens_of(one) == "[CLS]|un|##aff|##able|!|[SEP]");
  CHECK(numbers_of(one.ids) == "2 5 6 7 12 3");
  CHECK(numbers_of(one.type_ids) == "0 0 0 0 0 0");
  CHECK(offsets_of(one) == "0-0 0-2 2-5 5-9 10-11 0-0");
  CHECK(sequences_of(one) == "-0000-");
  CHECK(one.size() == 6);
  CHECK(one.truncated == 0);

  const Encoding two = encode({}, "a", "b x");
  CHECK(tokens_of(two) == "[CLS]|a|[SEP]|b|x|[SEP]");
  CHECK(numbers_of(two.type_ids) == "0 0 0 1 1 1");
  CHECK(offsets_of(two) == "0-0 0-1 0-0 0-1 2-3 0-0");
  CHECK(sequences_of(two) == "-0-11-");
}

TEST_CASE("texts and their tokens") {
  struct Row {
    const char* why;
    TokenizerSettings settings;
    const char* text;
    const char* tokens;
    const char* offsets;
  };
  const TokenizerSettings lower = uncased();
  TokenizerSettings kept = lower;
  kept.strip_accents = false;
  TokenizerSettings stripped;
  stripped.strip_accents = true;
  TokenizerSettings bare = lower;
  bare.remove_punctuation = true;
  TokenizerSettings bare_words = words();
  bare_words.remove_punctuation = true;
  const Row rows[] = {
      {"empty", lower, "", "[CLS]|[SEP]", "0-0 0-0"},
      {"blank", lower, " ", "[CLS]|[SEP]", "0-0 0-0"},
      {"cleaned away", lower, "\ufffd\u200b", "[CLS]|[SEP]", "0-0 0-0"},
      {"one combining mark", lower, "\u0301", "[CLS]|[SEP]", "0-0 0-0"},
      {"decomposed and composed", lower, "café cafe\u0301", "[CLS]|cafe|cafe|[SEP]",
       "0-0 0-4 5-9 0-0"},
      {"accents are kept where asked", kept, "CAFÉ", "[CLS]|café|[SEP]", "0-0 0-4 0-0"},
      {"accents go and the case stays", stripped, "Café The", "[CLS]|Cafe|The|[SEP]",
       "0-0 0-4 5-8 0-0"},
      {"null strips where it lowers", lower, "É", "[CLS]|[UNK]|[SEP]", "0-0 0-1 0-0"},
      {"not always lower case", {}, "The the", "[CLS]|The|the|[SEP]", "0-0 0-3 4-7 0-0"},
      {"no final sigma", lower, "Σ ς", "[CLS]|σ|[UNK]|[SEP]", "0-0 0-1 2-3 0-0"},
      {"a dotted capital I", lower, "İ", "[CLS]|i|[SEP]", "0-0 0-1 0-0"},
      {"dakuten", lower, "バ", "[CLS]|ハ|[SEP]", "0-0 0-1 0-0"},
      {"Hangul falls into jamo, whose offsets stay in the text", lower, "한",
       "[CLS]|\u1112|##\u1161|##\u11ab|[SEP]", "0-0 0-1 0-1 0-1 0-0"},
      {"Chinese stands alone", lower, "a中b", "[CLS]|a|中|b|[SEP]", "0-0 0-1 1-2 2-3 0-0"},
      {"marks past 036F", lower, "a\u1ab0\u20d0", "[CLS]|a|[SEP]", "0-0 0-1 0-0"},
      {"a mark inside a token is covered", lower, "ca\u0301fe", "[CLS]|cafe|[SEP]", "0-0 0-5 0-0"},
      {"beyond 16 bits", lower, "\U0001f600 a", "[CLS]|[UNK]|a|[SEP]", "0-0 0-1 2-3 0-0"},
      {"a word begins anew behind punctuation", lower, "a,able", "[CLS]|a|,|[UNK]|[SEP]",
       "0-0 0-1 1-2 2-6 0-0"},
      {"one unknown token a word", lower, "unz zzz", "[CLS]|[UNK]|[UNK]|[SEP]", "0-0 0-3 4-7 0-0"},
      {"general punctuation at the end", lower, "a\u2048", "[CLS]|a|[UNK]|[SEP]",
       "0-0 0-1 1-2 0-0"},
      {"removed controls join", lower, "u\x0bn a", "[CLS]|un|a|[SEP]", "0-0 0-3 4-5 0-0"},
      {"special tokens of the text", lower, "[SEP] a[MASK]", "[CLS]|[SEP]|a|[MASK]|[SEP]",
       "0-0 0-5 6-7 7-13 0-0"},
      {"their case matters", lower, "[sep]", "[CLS]|[UNK]|[UNK]|[UNK]|[SEP]",
       "0-0 0-1 1-4 4-5 0-0"},
      {"punctuation removed before the split", bare, "don't, a", "[CLS]|dont|a|[SEP]",
       "0-0 0-5 7-8 0-0"},
      {"words", words(), "don't x", "don|'|t|x", "0-3 3-4 4-5 6-7"},
      {"words without punctuation", bare_words, "don't x", "dont|x", "0-5 6-7"},
      {"white space alone", words(Type::whitespace), "don't x", "[UNK]|x", "0-5 6-7"},
      {"no cleaning for words", words(), "a\u200bb", "a|[UNK]|b", "0-1 1-2 2-3"},
      {"no blanks around Chinese for words", words(), "a中", "[UNK]", "0-2"},
      {"no text", words(), "", "", ""},
  };
  for (const auto& [why, settings, text, tokens, offsets] : rows) {
    CAPTURE(why);
    const Encoding encoding = encode(settings, text);
    CHECK(tokens_of(encoding) == tokens);
    CHECK(offsets_of(encoding) == offsets);
  }
}

TEST_CASE("special tokens in a text keep their sequence, unless the text is plain") {
  const Encoding special = encode({}, "a[SEP]", "[CLS]");
  CHECK(tokens_of(special) == "[CLS]|a|[SEP]|[SEP]|[CLS]|[SEP]");
  CHECK(sequences_of(special) == "-00-1-");
  CHECK(offsets_of(special) == "0-0 0-1 1-6 0-0 0-5 0-0");
  const Encoding plain = encode({}, "a[SEP]", std::nullopt, plain_text());
  CHECK(tokens_of(plain) == "[CLS]|a|[UNK]|[UNK]|[UNK]|[SEP]");
}

TEST_CASE("truncation keeps segments, and counts what it cut") {
  const Encoding one = encode({}, "a b a b", std::nullopt, cut_to(4));
  CHECK(tokens_of(one) == "[CLS]|a|b|[SEP]");
  CHECK(one.truncated == 2);
  const Encoding two = encode({}, "a b", "x x x", cut_to(6));
  CHECK(tokens_of(two) == "[CLS]|a|[SEP]|x|x|[SEP]");
  CHECK(numbers_of(two.type_ids) == "0 0 0 1 1 1");
  CHECK(two.truncated == 2);
  const Encoding tie = encode({}, "a a a", "b b b", cut_to(8));
  CHECK(tokens_of(tie) == "[CLS]|a|a|[SEP]|b|b|b|[SEP]");
  CHECK(encode({}, "a b", std::nullopt, cut_to(4)).truncated == 0);
  CHECK(tokens_of(encode({}, "a b", std::nullopt, cut_to(2))) == "[CLS]|[SEP]");
  CHECK(tokens_of(encode({}, "a b", std::nullopt, cut_to(0))) == "[CLS]|[SEP]");
  CHECK(tokens_of(encode(words(), "a b x", std::nullopt, cut_to(2))) == "a|b");
}

TEST_CASE("which special tokens are put in") {
  TokenizerSettings settings;
  settings.cls_token = std::nullopt;
  CHECK(tokens_of(encode(settings, "a", "b")) == "a|[SEP]|b|[SEP]");
  settings.sep_token = std::nullopt;
  CHECK(tokens_of(encode(settings, "a", "b")) == "a|b");
  TokenizerSettings off;
  off.add_special_tokens = false;
  const Encoding pair = encode(off, "a", "b");
  CHECK(tokens_of(pair) == "a|b");
  CHECK(numbers_of(pair.type_ids) == "0 1");
  TokenizerSettings on = words();
  on.add_special_tokens = true;
  CHECK(tokens_of(encode(on, "a")) == "[CLS]|a|[SEP]");
  const Tokenizer usual = make({});
  CHECK(usual.special_tokens(false) == 2);
  CHECK(usual.special_tokens(true) == 3);
  CHECK(make(words()).special_tokens(true) == 0);
}

TEST_CASE("[PAD] and [MASK] are special to WordPiece alone") {
  CHECK(tokens_of(encode({}, "[PAD][MASK]")) == "[CLS]|[PAD]|[MASK]|[SEP]");
  CHECK(tokens_of(encode(words(), "[UNK][PAD]")) == "[UNK]|[UNK]|[UNK]|[UNK]");
  CHECK(tokens_of(encode(words(Type::whitespace), "[PAD] [SEP]a")) == "[PAD]|[SEP]|a");
}

TEST_CASE("unknown words: any token, left out, or missed when needed") {
  TokenizerSettings settings = words();
  settings.unk_token = "x";
  CHECK(tokens_of(encode(settings, "a zebra b")) == "a|x|b");
  settings.unk_token = std::nullopt;
  const Encoding left_out = encode(settings, "a zebra b");
  CHECK(tokens_of(left_out) == "a|b");
  CHECK(offsets_of(left_out) == "0-1 8-9");
  settings.unk_token = "<unk>";
  CHECK(tokens_of(encode(settings, "a b")) == "a|b");
  CHECK_THROWS_AS(encode(settings, "a zebra"), TextError);
  TokenizerSettings pieces;
  pieces.unk_token = std::nullopt;
  CHECK(tokens_of(encode(pieces, "a unz b")) == "[CLS]|a|b|[SEP]");
}

TEST_CASE("what cannot be made says why") {
  TokenizerSettings settings;
  settings.sep_token = "</s>";
  CHECK_THROWS_WITH_AS(make(settings),
                       "config.json: tokenizer.sep_token \"</s>\" is not one of the 31 tokens of "
                       "the vocabulary; name a token of the vocabulary, use null for none, or set "
                       "add_special_tokens to false",
                       Error);
  settings.add_special_tokens = false;
  CHECK(tokens_of(make(settings).encode("a", std::nullopt, {})) == "a");
  CHECK_THROWS_WITH_AS(make_native_tokenizer({}, {}, "config.json"),
                       "config.json: the vocabulary has no tokens", Error);
}

TEST_CASE("bad UTF-8 is the text's fault") {
  const Tokenizer tokenizer = make({});
  CHECK_THROWS_AS(tokenizer.encode("a\xff", std::nullopt, {}), TextError);
  CHECK_THROWS_AS(tokenizer.encode("a", "\xed\xa0\x80", {}), TextError);
}

TEST_CASE("tokens and ids") {
  const Tokenizer tokenizer = make({});
  CHECK(tokenizer.token(5) == "un");
  CHECK_FALSE(tokenizer.token(31).has_value());
  CHECK(tokenizer.id("[CLS]") == 2);
  CHECK_FALSE(tokenizer.id("zebra").has_value());
  CHECK(tokenizer.vocabulary_size() == 31);
  REQUIRE_FALSE(tokenizer.describe().empty());
  CHECK(tokenizer.describe().front() == std::pair<std::string, std::string>("model", "WordPiece"));
}

TEST_CASE("words of 100 and 101 characters, counted after normalization") {
  CHECK(encode(uncased(), std::string(100, 'a')).size() == 2 + 100);
  CHECK(tokens_of(encode(uncased(), std::string(101, 'a'))) == "[CLS]|[UNK]|[SEP]");
  std::string decomposed;
  for (int i = 0; i < 60; ++i) decomposed += "a\u0301";
  CHECK(encode(uncased(), decomposed).size() == 2 + 60);
}

TEST_CASE("texts of megabytes that are hard to divide") {
  const Tokenizer tokenizer = make(uncased());
  const EncodeOptions options = cut_to(512);
  // A quadratic step would take hours.
  for (const char* part :
       {"a", "a ", "[SEP]", "[", "İ", "한", "a\u0301\u0323", "\u0301", "中", ","}) {
    CAPTURE(part);
    std::string text;
    while (text.size() < std::size_t{1} << 22U) text += part;
    CHECK(tokenizer.encode(text, std::nullopt, options).size() <= 512);
  }
}

}  // namespace headlight::tokenizer_test
