// Texts that are cut into remembered words have the tokens of the same texts, read as a whole:
// random texts of what the stages treat differently, with each kind of pipeline.
#include "text/pipeline/word_cache.h"

#include <array>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/json.h"
#include "sanitized.h"
#include "text/files/tokenizer_json_parts.h"
#include "text/models/bpe.h"
#include "text/models/unigram.h"
#include "text/pipeline/pipeline.h"
#include "text/splitters/byte_level.h"
#include "text_support.h"

namespace headlight::word_cache_test {
namespace {

using Pipeline = Tokenizer::Pipeline;

std::vector<std::string> small_vocabulary() {
  return {"[UNK]", "a",  "b", "c",   "ab", "ca",   "##a", "##b", "##ab", "1",       "##1",
          ".",     ",",  "'", "(",   "`",  "'s",   "A",   "##A", "é",    "##é",     "漢",
          "i",     "##̇", "[", "SEP", "]",  "##\"", "\"",  "-",   "ß",    "##\u200d"};
}

std::unique_ptr<const WordModel> word_piece() {
  return std::make_unique<WordPiece>(Vocabulary(small_vocabulary()), "[UNK]", "##", 20);
}

std::unique_ptr<const WordModel> words() {
  return std::make_unique<WordLevel>(Vocabulary(small_vocabulary()), std::nullopt);
}

/// Over bytes, without a token for each.
std::unique_ptr<const WordModel> byte_pairs() {
  std::vector<std::string> tokens = {"[UNK]", "a", "b", "c", "1",  "ab", "Ġ", "Ġa", "Ġab",
                                     "Ċ",     ",", "'", "s", "'s", "ĠĠ", "Ã", "©",  "A"};
  const auto id = [&](const std::string& token) {
    return static_cast<TokenId>(std::find(tokens.begin(), tokens.end(), token) - tokens.begin());
  };
  const std::vector<BPE::Merge> merges = {{id("a"), id("b"), id("ab")},
                                          {id("Ġ"), id("ab"), id("Ġab")},
                                          {id("Ġ"), id("a"), id("Ġa")},
                                          {id("'"), id("s"), id("'s")},
                                          {id("Ġ"), id("Ġ"), id("ĠĠ")}};
  return std::make_unique<BPE>(Vocabulary(tokens), merges, BPE::Options{.unk_token = "[UNK]"});
}

std::unique_ptr<const WordModel> unigram(bool byte_fallback) {
  std::vector<Unigram::Piece> pieces = {
      {"<unk>", 0}, {"▁", -2},  {"▁a", -2}, {"a", -3},    {"b", -3}, {"ab", -4}, {"▁ab", -4},
      {"c", -3},    {"\"", -3}, {",", -3},  {"▁▁", -3.5}, {"e", -3}, {"1", -3},  {"s", -3}};
  for (const char* byte : {"<0xC3>", "<0x9F>", "<0x41>"}) {
    if (byte_fallback) pieces.push_back({byte, -9});
  }
  return std::make_unique<Unigram>(pieces, 0, byte_fallback);
}

struct Kind {
  const char* normalizer;
  const char* splitter;
  std::unique_ptr<const WordModel> (*model)();
  bool is_cut;
};

constexpr const char* kBert = R"({"type": "BertNormalizer"})";
constexpr const char* kCased = R"({"type": "BertNormalizer", "lowercase": false})";
constexpr const char* kAlbert = R"({"type": "Sequence", "normalizers": [
    {"type": "Replace", "pattern": {"String": "``"}, "content": "\""},
    {"type": "Replace", "pattern": {"String": "''"}, "content": "\""},
    {"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"},
    {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]})";
constexpr const char* kXlmRoberta = R"({"type": "Sequence", "normalizers": [
    {"type": "Nmt"}, {"type": "NFKC"}, {"type": "Strip", "strip_left": false, "strip_right": true},
    {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"}]})";
constexpr const char* kByteLevel = R"({"type": "ByteLevel", "add_prefix_space": false})";
constexpr const char* kPrefixed = R"({"type": "ByteLevel", "add_prefix_space": true})";
constexpr const char* kAlways =
    R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"})";
constexpr const char* kFirst =
    R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"})";
constexpr const char* kSpacesFirst = R"({"type": "Sequence", "pretokenizers": [
    {"type": "WhitespaceSplit"},
    {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"}]})";

std::unique_ptr<const WordModel> pieces() { return unigram(/*byte_fallback=*/false); }
std::unique_ptr<const WordModel> pieces_and_bytes() { return unigram(/*byte_fallback=*/true); }

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> kAll = {
      {kBert, R"({"type": "BertPreTokenizer"})", word_piece, true},
      {kCased, R"({"type": "BertPreTokenizer"})", word_piece, true},
      {R"({"type": "NFC"})", R"({"type": "BertPreTokenizer"})", word_piece, true},
      {R"({"type": "NFKC"})", R"({"type": "Whitespace"})", words, true},
      {"null", R"({"type": "WhitespaceSplit"})", words, true},
      {R"({"type": "Nmt"})", R"({"type": "WhitespaceSplit"})", word_piece, true},
      {"null", kByteLevel, byte_pairs, true},
      {"null", kPrefixed, byte_pairs, true},
      {R"({"type": "NFC"})", kByteLevel, byte_pairs, true},
      {R"({"type": "NFKC"})", kByteLevel, byte_pairs, true},
      {kAlbert, kAlways, pieces, true},
      {kAlbert, kFirst, pieces_and_bytes, true},
      {kAlbert, kSpacesFirst, pieces, true},
      {R"({"type": "Nmt"})", kAlways, pieces, true},
      {kXlmRoberta, kAlways, pieces, true},
      {R"({"type": "Strip"})", kAlways, pieces, false},
      {R"({"type": "Prepend", "prepend": "▁"})", kByteLevel, byte_pairs, false},
      {R"({"type": "Replace", "pattern": {"String": " "}, "content": "▁"})", kByteLevel, byte_pairs,
       false},
      {R"({"type": "Replace", "pattern": {"String": ","}, "content": " "})", kAlways, pieces,
       false},
      {"null", R"({"type": "Punctuation"})", words, false},
  };
  return kAll;
}

void make(const Kind& kind, Pipeline& pipeline) {
  const Json normalizer = Json::parse(kind.normalizer);
  const Json splitter = Json::parse(kind.splitter);
  read_normalizer({normalizer, "file", "normalizer"}, pipeline.normalizer);
  read_splitter({splitter, "file", "pre_tokenizer"}, pipeline.splitter);
  pipeline.model = kind.model();
  const bool is_unchanged = pipeline.normalizer.is_empty();
  const std::vector<AddedToken> added = {
      {.content = "[SEP]", .id = 90, .special = true},
      {.content = "ab|", .id = 91, .normalized = is_unchanged, .lstrip = true},
      {.content = "(漢", .id = 92},
      {.content = " [S", .id = 93}};
  pipeline.added_tokens = std::make_unique<AddedTokens>(added, pipeline.normalizer);
  pipeline.post_processor = plain_post_processor();
}

/// "3@0-2 0@2-3:x": ids, offsets, and spellings that are not the model's; or the error.
std::string found_by(const Pipeline& pipeline, const std::string& text,
                     const EncodeOptions& options, Detail detail) {
  try {
    const FoundPair found = pipeline.find_tokens(text, "b " + text, options, detail);
    std::string all = std::to_string(found.truncated);
    for (const FoundTokens* tokens : {&found.first, &found.second}) {
      all += " /";
      for (const FoundToken& token : tokens->tokens()) {
        const auto [begin, end] = token.origin;
        all += " " + std::to_string(token.id) + "@" + std::to_string(begin) + "-" +
               std::to_string(end);
        if (const std::string* spelling = tokens->spelling(token)) all += ":" + *spelling;
      }
    }
    return all;
  } catch (const TextError& error) {
    return error.line();
  }
}

constexpr std::array<const char*, 54> kParts = {
    "a",      "b",      "ab",     "A",       "cab",
    "1",      "12",     " ",      " ",       " ",
    " ",      "  ",     "\t",     "\n",      "\r\n",
    "\x01",   "\x0b",   "\x7f",   "'",       "'s",
    "''",     "``",     ",",      ".",       "(",
    "_",      "\"",     "é",      "e\u0301", "\u0301",
    "\u0338", "=",      "İ",      "漢",      "▁",
    "ß",      "\u00a0", "\u3000", "\u200b",  "\u200d",
    "\ufb01", "\u2003", "\u0600", "[SEP]",   "[S",
    "ab|",    "(漢",    "[sep]",  "\xff",    "abcabcabcabcabcabcabcabcabcabc",
    "\u00a8", "caca",   "zz",     " ab"};

std::string random_text(std::mt19937& random) {
  // Most texts have few kinds of parts, so that long runs of plain words are among them.
  const std::size_t kinds = random() % 2 == 0 ? 12 : kParts.size();
  std::string text;
  for (std::size_t parts = random() % 24; parts > 0; --parts) {
    const char* part = kParts[random() % kinds];
    if (part != std::string("\xff") || random() % 8 == 0) text += part;
  }
  return text;
}

}  // namespace

TEST_CASE("remembered words give the tokens of whole texts") {
  constexpr unsigned kTexts = 3000 / kCaseStep;
  for (const Kind& kind : kinds()) {
    CAPTURE(kind.normalizer);
    CAPTURE(kind.splitter);
    Pipeline whole;
    Pipeline cut;
    make(kind, whole);
    make(kind, cut);
    cut.cut_texts();
    CHECK(cut.cutter.may_cut("ab") == kind.is_cut);
    std::mt19937 random(7);
    for (unsigned i = 0; i < kTexts; ++i) {
      const std::string text = random_text(random);
      EncodeOptions options;
      options.plain_text = random() % 4 == 0;
      if (random() % 2 == 0) options.max_length = random() % 12;
      cut.cuts_left = whole.cuts_left = random() % 4 == 0;
      const Detail detail = random() % 2 == 0 ? Detail::ids : Detail::spellings;
      CAPTURE(text);
      REQUIRE(found_by(cut, text, options, detail) == found_by(whole, text, options, detail));
    }
  }
}

TEST_CASE("more words than a cache holds, in several threads") {
  Pipeline whole;
  Pipeline cut;
  make(kinds().front(), whole);
  make(kinds().front(), cut);
  cut.cut_texts();
  std::vector<std::string> texts(600 / kCaseStep);
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t word = 0; word < 100; ++word) {
      texts[i] += " ab" + std::to_string(i * (word % 3) * 100 + word);
    }
    expected.push_back(found_by(whole, texts[i], {}, Detail::spellings));
  }
  std::vector<std::thread> threads;
  std::array<std::size_t, 3> same{};
  for (std::size_t& count : same) {
    threads.emplace_back([&] {
      for (int round = 0; round < 2; ++round) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
          if (found_by(cut, texts[i], {}, Detail::spellings) == expected[i]) ++count;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::size_t count : same) CHECK(count == 2 * texts.size());
}

TEST_CASE("keys of different words differ") {
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    const auto random_word = [&] {
      std::string word(1 + random() % WordKey::kLongest, 'a');
      for (char& c : word) c = static_cast<char>('a' + (random() % 64 == 0 ? 1 : 0));
      return word;
    };
    const std::string a = random_word();
    const std::string b = random_word();
    const WordKey first(1, a, WordPlace::within);
    CHECK(first.is_same(WordKey(1, b, WordPlace::within)) == (a == b));
    CHECK_FALSE(first.is_same(WordKey(1, a, WordPlace::begins_rest)));
    CHECK_FALSE(first.is_same(WordKey(2, a, WordPlace::within)));
  }
}

}  // namespace headlight::word_cache_test
