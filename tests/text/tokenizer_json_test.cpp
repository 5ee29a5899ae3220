// tokenizer.json: what is read, and what is said of a file that is broken or asks for more.
#include "text/files/tokenizer_json.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/error_of.h"
#include "base/json.h"
#include "base/temporary_folder.h"
#include "text_support.h"

namespace headlight::tokenizer_json_test {
namespace {

/// A small BERT, whose fields a row of a table may replace or add to.
Json bert() {
  return Json::parse(R"({
    "version": "1.0", "truncation": {"max_length": 3}, "padding": {"length": 9},
    "added_tokens": [
      {"id": 1, "content": "[UNK]", "special": true},
      {"id": 2, "content": "[CLS]", "special": true},
      {"id": 3, "content": "[SEP]", "special": true},
      {"id": 9, "content": "new", "normalized": false},
      {"id": 10, "content": "", "normalized": false}],
    "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                   "strip_accents": null, "lowercase": true},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
    "decoder": {"type": "WordPiece"},
    "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
              "max_input_chars_per_word": 5,
              "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "a": 4, "##b": 5, "e": 6}}
  })");
}

Tokenizer load(const Json& json) {
  const TemporaryFolder folder;
  const std::string file = folder.write("tokenizer.json", json.dump());
  return read_tokenizer_json(file);
}

std::string complaint(const Json& json) {
  const TemporaryFolder folder;
  const std::string file = folder.write("tokenizer.json", json.dump());
  try {
    read_tokenizer_json(file);
  } catch (const Error& error) {
    const std::string what = error.what();
    return what.substr(what.find(": ") + 2);  // without the file's name
  }
  return "";
}

}  // namespace

TEST_CASE("a BERT tokenizer.json") {
  const Tokenizer tokenizer = load(bert());
  const Encoding encoding = tokenizer.encode("AB é newa abbbbb", "a", {});
  CHECK(tokens_of(encoding) == "[CLS]|a|##b|e|new|a|[UNK]|[SEP]|a|[SEP]");
  CHECK(numbers_of(encoding.ids) == "2 4 5 6 7 4 1 3 4 3");
  CHECK(numbers_of(encoding.type_ids) == "0 0 0 0 0 0 0 0 1 1");
  CHECK(offsets_of(encoding) == "0-0 0-1 1-2 3-4 5-8 8-9 10-16 0-0 0-1 0-0");
  CHECK(tokenizer.vocabulary_size() == 8);
  CHECK(tokenizer.id("new") == 7);
  CHECK(tokenizer.token(7) == "new");
}

TEST_CASE("a new token gets the id after the number of words, and each keeps its spelling") {
  Json json = bert();
  json["model"]["vocab"].erase("e");
  json["model"]["vocab"]["##b"] = 6;  // six words with a hole at 5, so that ids meet
  const Encoding encoding = load(json).encode("ab new", std::nullopt, {});
  CHECK(tokens_of(encoding) == "[CLS]|a|##b|new|[SEP]");
  CHECK(numbers_of(encoding.ids) == "2 4 6 6 3");
}

TEST_CASE("components that may be null or missing") {
  Json json = bert();
  json["normalizer"] = nullptr;
  json["post_processor"] = nullptr;
  json.erase("pre_tokenizer");
  json["added_tokens"] = nullptr;
  const Encoding encoding = load(json).encode("ab", "a b", {});
  CHECK(tokens_of(encoding) == "a|##b|[UNK]");
  CHECK(numbers_of(encoding.type_ids) == "0 0 1");
}

TEST_CASE("a model without a type is told by its fields") {
  Json json = bert();
  json["model"].erase("type");
  CHECK(tokens_of(load(json).encode("ab", std::nullopt, {})) == "[CLS]|a|##b|[SEP]");
  json["model"].erase("continuing_subword_prefix");
  CHECK(tokens_of(load(json).encode("ab a", std::nullopt, {})) == "[CLS]|[UNK]|a|[SEP]");
  json["model"]["merges"] = Json::array();
  CHECK(tokens_of(load(json).encode("ae", std::nullopt, {})) == "[CLS]|a|e|[SEP]");
  json["model"] = Json::parse(R"({"unk_id": 0, "vocab": [["?", 0], ["a", -1], ["ab", -1.5]]})");
  CHECK(tokens_of(load(json).encode("aab", std::nullopt, {})) == "[CLS]|a|ab|[SEP]");
}

TEST_CASE("a template puts in what it says") {
  Json json = bert();
  json["post_processor"] = Json::parse(R"({
    "type": "TemplateProcessing",
    "single": [{"Sequence": {"id": "A", "type_id": 2}}, {"SpecialToken": {"id": "E", "type_id": 1}}],
    "pair": [{"Sequence": {"id": "B", "type_id": 3}}, {"SpecialToken": {"id": "E", "type_id": 1}},
             {"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 4}}],
    "special_tokens": {"E": {"id": "E", "ids": [3, 12], "tokens": ["[SEP]", "end"]}}
  })");
  const Tokenizer tokenizer = load(json);
  const Encoding one = tokenizer.encode("a", std::nullopt, {});
  CHECK(tokens_of(one) == "a|[SEP]|end");
  CHECK(numbers_of(one.type_ids) == "2 1 1");
  const Encoding two = tokenizer.encode("a", "e", {});
  CHECK(tokens_of(two) == "e|[SEP]|end|a|a");
  CHECK(numbers_of(two.ids) == "6 3 12 4 4");
  CHECK(numbers_of(two.type_ids) == "3 1 1 0 4");
  CHECK(sequences_of(two) == "1--00");
  CHECK(tokenizer.vocabulary_size() == 13);
  EncodeOptions options;
  options.max_length = 6;
  CHECK(tokenizer.encode_windows("a", "e e", options).whole.size() == 6);
  CHECK(error_of([&] { tokenizer.encode_windows("a", "e e e e e", options); }) ==
        "has 9 tokens, but no windows, because the tokenizer's template repeats a text");
}

TEST_CASE("a field that is broken or not supported is named") {
  struct Row {
    const char* pointer;
    const char* value;
    const char* complaint;
  };
  const Row rows[] = {
      {"/model/type", R"("Bigram")",
       R"(model.type: "Bigram" is not supported; headlight supports WordPiece, WordLevel, BPE and Unigram)"},
      {"/model/type", R"("BPE")", "model.merges: missing"},
      {"/model/type", R"("Unigram")",
       "model.vocab: found an object, expected a list of pieces with their scores"},
      {"/model", "null", "model: found null, expected an object"},
      {"/model/vocab", "[]",
       "model.vocab: found a list of 0, expected an object of tokens and their ids"},
      {"/model/vocab", "{}", "model.vocab: found an object, expected at least one token"},
      {"/model/vocab", R"({"a": -1})",
       R"(model.vocab: the id of "a": found -1, expected a whole number from 0 to 2147483647)"},
      {"/model/unk_token", "3", "model.unk_token: found 3, expected a string or null"},
      {"/normalizer/type", R"("Upper")",
       R"(normalizer.type: "Upper" is not supported; headlight supports BertNormalizer, Lowercase, NFC, NFD, NFKC, NFKD, StripAccents, Strip, Replace, Prepend, Nmt, Precompiled, ByteLevel and Sequence)"},
      {"/normalizer", R"({"type": "Sequence", "normalizers": [{"type": "NFD"}, {}]})",
       "normalizer.normalizers[1].type: missing"},
      {"/normalizer/lowercase", R"("yes")",
       R"(normalizer.lowercase: found "yes", expected true or false)"},
      {"/normalizer/strip_accents", "1",
       "normalizer.strip_accents: found 1, expected true or false"},
      {"/normalizer", R"({"type": "Replace", "pattern": {"Regex": "("}, "content": ""})",
       R"(normalizer.pattern.Regex "(" is not a valid regular expression: end pattern with unmatched parenthesis)"},
      {"/normalizer", R"({"type": "Replace", "pattern": {"Word": "a"}, "content": ""})",
       "normalizer.pattern.Regex: missing"},
      {"/normalizer", R"({"type": "Replace", "pattern": "a", "content": ""})",
       R"(normalizer.pattern: found "a", expected an object)"},
      {"/normalizer", R"({"type": "Replace", "pattern": {"String": "a"}})",
       "normalizer.content: missing"},
      {"/normalizer", R"({"type": "Prepend"})", "normalizer.prepend: missing"},
      {"/normalizer", R"({"type": "Precompiled", "precompiled_charsmap": "a"})",
       "normalizer.precompiled_charsmap is not base64"},
      {"/normalizer", R"({"type": "Precompiled", "precompiled_charsmap": "CAAAAAAAAAA="})",
       "normalizer.precompiled_charsmap has a trie of 2 units, but only bytes for 1"},
      {"/normalizer", R"({"type": "Precompiled", "precompiled_charsmap": null})",
       "normalizer.precompiled_charsmap: found null, expected a string"},
      {"/pre_tokenizer", R"({"type": "Split", "pattern": {"String": " "}, "invert": false})",
       "pre_tokenizer.behavior: missing"},
      {"/pre_tokenizer", R"({"type": "Split", "pattern": {"String": " "}, "behavior": "Isolated"})",
       "pre_tokenizer.invert: missing"},
      {"/pre_tokenizer/type", R"("FixedLength")",
       R"(pre_tokenizer.type: "FixedLength" is not supported; headlight supports BertPreTokenizer, Whitespace, WhitespaceSplit, Punctuation, Digits, CharDelimiterSplit, Split, ByteLevel, Metaspace and Sequence)"},
      {"/pre_tokenizer/type", R"("ByteLevel")", "pre_tokenizer.add_prefix_space: missing"},
      {"/pre_tokenizer/type", R"("Digits")", "pre_tokenizer.individual_digits: missing"},
      {"/pre_tokenizer", R"({"type": "CharDelimiterSplit", "delimiter": ""})",
       R"(pre_tokenizer.delimiter: found "", expected one character)"},
      {"/pre_tokenizer", R"({"type": "Metaspace", "replacement": "ab"})",
       R"(pre_tokenizer.replacement: found "ab", expected one character)"},
      {"/pre_tokenizer", R"({"type": "Metaspace", "replacement": "_", "prepend_scheme": "last"})",
       R"(pre_tokenizer.prepend_scheme: found "last", expected one of always, first, never)"},
      {"/pre_tokenizer",
       R"({"type": "Metaspace", "replacement": "_", "prepend_scheme": "first", "add_prefix_space": false})",
       "pre_tokenizer.add_prefix_space false contradicts prepend_scheme"},
      {"/pre_tokenizer", R"({"type": "Punctuation", "behavior": "Gone"})",
       R"(pre_tokenizer.behavior: found "Gone", expected one of Isolated, Removed, MergedWithPrevious, MergedWithNext, Contiguous)"},
      {"/post_processor/type", R"("Pair")",
       R"(post_processor.type: "Pair" is not supported; headlight supports TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel and Sequence)"},
      {"/post_processor/type", R"("RobertaProcessing")",
       "post_processor.add_prefix_space: missing"},
      {"/post_processor", R"({"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": 1})",
       "post_processor.trim_offsets: found 1, expected true or false"},
      {"/post_processor",
       R"({"type": "Sequence", "processors": [{"type": "BertProcessing", "sep": ["a", 4], "cls": ["e", 6]}, {"type": "ByteLevel"}]})",
       "post_processor.processors[1].type ByteLevel comes after BertProcessing, which is not "
       "supported"},
      {"/post_processor",
       R"({"type": "Sequence", "processors": [{"type": "TemplateProcessing", "special_tokens": {}, "single": [], "pair": []}, {"type": "BertProcessing", "sep": ["a", 4], "cls": ["e", 6]}]})",
       "post_processor.processors[1].type BertProcessing comes after TemplateProcessing, but only "
       "one step may insert special tokens"},
      {"/post_processor/sep", R"(["[SEP]"])",
       "post_processor.sep: found a list of 1, expected a token and its id"},
      {"/post_processor",
       R"({"type": "TemplateProcessing", "special_tokens": {}, "single": [{"SpecialToken": {"id": "X", "type_id": 0}}], "pair": []})",
       R"(post_processor.single[0].SpecialToken.id: found "X", expected one of special_tokens)"},
      {"/post_processor",
       R"({"type": "TemplateProcessing", "special_tokens": {}, "single": [{"Sequence": {"id": "B", "type_id": 0}}], "pair": []})",
       "post_processor.single contains the second text, expected only the first"},
      {"/added_tokens/0", "7", "added_tokens[0]: found 7, expected an object"},
      {"/added_tokens/0", R"({"special": true})", "added_tokens[0].content: missing"},
  };
  for (const auto& [pointer, value, expected] : rows) {
    CAPTURE(expected);
    Json json = bert();
    json[Json::json_pointer(pointer)] = Json::parse(value);
    CHECK(complaint(json) == expected);
  }
}

TEST_CASE("a file that would make texts cost more than their length is refused with the limit") {
  const std::string longest(512, 'a');
  Json json = bert();
  json["model"]["vocab"][longest + "a"] = 7;
  CHECK(complaint(json).empty());  // no word of five characters has it
  json["model"]["max_input_chars_per_word"] = 5000;
  CHECK(complaint(json) ==
        "the WordPiece vocabulary has a token of 513 bytes, expected at most 512");
  json["model"] = Json::parse(R"({"type": "Unigram", "unk_id": 0, "vocab": [["x", 0.0]]})");
  json["model"]["vocab"][0][0] = longest + "a";
  json["post_processor"] = nullptr;
  CHECK(complaint(json) == "the Unigram vocabulary has a token of 513 bytes, expected at most 512");
}

TEST_CASE("a template that stands for many tokens is refused with the limit") {
  const Json text = {{"Sequence", {{"id", "A"}, {"type_id", 0}}}};
  const Json special = {{"SpecialToken", {{"id", "s"}, {"type_id", 0}}}};
  const auto with = [&](std::size_t texts, std::size_t specials) {
    Json json = bert();
    Json single = Json::array();
    for (std::size_t i = 0; i < texts; ++i) single.push_back(text);
    for (std::size_t i = 0; i < specials; ++i) single.push_back(special);
    const std::vector<std::string> tokens(500, "[SEP]");
    const Json meaning = {{"id", "s"}, {"ids", std::vector<int>(500, 3)}, {"tokens", tokens}};
    json["post_processor"] = {{"type", "TemplateProcessing"},
                              {"single", single},
                              {"pair", {text}},
                              {"special_tokens", {{"s", meaning}}}};
    return complaint(json);
  };
  CHECK(with(16, 2).empty());
  CHECK(with(1, 3) == "post_processor.single inserts more than 1000 tokens");
  CHECK(with(17, 0) == "post_processor.single repeats texts more than 16 times");
}

TEST_CASE("a hundred thousand added tokens") {
  Json json = bert();
  for (int i = 0; i < 100'000; ++i) {
    json["added_tokens"].push_back(
        {{"id", 10 + i}, {"content", "<" + std::to_string(i) + ">"}, {"normalized", false}});
  }
  CHECK(load(json).encode("<7>", std::nullopt, {}).ids.size() == 3);
}

TEST_CASE("a BPE model that is broken or not supported") {
  struct Row {
    const char* pointer;
    const char* value;
    const char* complaint;
  };
  const Row rows[] = {
      {"/vocab", "{}", "model.vocab: found an object, expected at least one token"},
      {"/vocab/a", "null",
       R"(model.vocab: the id of "a": found null, expected a whole number from 0 to 2147483647)"},
      {"/vocab/a", "4294967296",
       R"(model.vocab: the id of "a": found 4294967296, expected a whole number from 0 to 2147483647)"},
      {"/merges", "{}", "model.merges: found an object, expected a list"},
      {"/merges", "null", "model.merges: found null, expected a list"},
      {"/merges", R"(["a b", 7])",
       "model.merges[1]: found 7, expected two tokens separated by a space"},
      {"/merges", R"(["a b", "ab"])",
       R"(model.merges[1]: found "ab", expected two tokens separated by a space)"},
      {"/merges", R"([["a", "b"], "a b"])",
       R"(model.merges[1]: found "a b", expected a list of two tokens)"},
      {"/merges", R"([["a", "b", "c"]])",
       "model.merges[0]: found a list of 3, expected a list of two tokens"},
      {"/merges", R"([["a", 3]])",
       "model.merges[0]: found a list of 2, expected a list of two tokens"},
      {"/merges", R"(["#version", "c a"])", R"(model.merges[1]: "c" is not in the vocabulary)"},
      {"/merges", R"([["b", "a"]])", R"(model.merges[0]: "ba" is not in the vocabulary)"},
      {"/continuing_subword_prefix", R"("##")",
       R"(model.merges[0]: "b" is shorter than continuing_subword_prefix)"},
      {"/continuing_subword_prefix", "3",
       "model.continuing_subword_prefix: found 3, expected a string or null"},
      {"/end_of_word_suffix", "[]",
       "model.end_of_word_suffix: found a list of 0, expected a string or null"},
      {"/unk_token", "0", "model.unk_token: found 0, expected a string or null"},
      {"/dropout", "0.1",
       "model.dropout: found 0.1, expected 0 or null, because a text must always give "
       "the same tokens"},
      {"/dropout", R"("no")", R"(model.dropout: found "no", expected a number)"},
      {"/fuse_unk", "1", "model.fuse_unk: found 1, expected true or false"},
      {"/byte_fallback", "1", "model.byte_fallback: found 1, expected true or false"},
      {"/ignore_merges", "1", "model.ignore_merges: found 1, expected true or false"},
  };
  for (const auto& [pointer, value, expected] : rows) {
    CAPTURE(expected);
    Json json = bert();
    json["model"] = Json::parse(
        R"({"type": "BPE", "dropout": 0.0, "unk_token": null, "fuse_unk": null,
            "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]})");
    CHECK(complaint(json).empty());
    json["model"][Json::json_pointer(pointer)] = Json::parse(value);
    CHECK(complaint(json) == expected);
  }
}

TEST_CASE("a Unigram model that is broken") {
  struct Row {
    const char* pointer;
    const char* value;
    const char* complaint;
  };
  const Row rows[] = {
      {"/vocab", "[]", "model.vocab: found a list of 0, expected at least one piece"},
      {"/vocab", "null", "model.vocab: found null, expected a list of pieces with their scores"},
      {"/vocab/1", R"("a")", R"(model.vocab[1]: found "a", expected a piece and its score)"},
      {"/vocab/1", R"(["a", 1, 2])",
       "model.vocab[1]: found a list of 3, expected a piece and its score"},
      {"/vocab/1/0", "3", "model.vocab[1]: found 3, expected a string, the piece"},
      {"/vocab/1/1", R"("3")", R"(model.vocab[1]: found "3", expected a number, the score)"},
      {"/vocab/1/1", "null", "model.vocab[1]: found null, expected a number, the score"},
      {"/unk_id", "2", "model.unk_id: found 2, expected a whole number from 0 to 1"},
      {"/unk_id", "-1", "model.unk_id: found -1, expected a whole number from 0 to 1"},
      {"/unk_id", R"("<unk>")",
       R"(model.unk_id: found "<unk>", expected a whole number from 0 to 1)"},
      {"/byte_fallback", "null", "model.byte_fallback: found null, expected true or false"},
  };
  for (const auto& [pointer, value, expected] : rows) {
    CAPTURE(expected);
    Json json = bert();
    json["model"] =
        Json::parse(R"({"type": "Unigram", "unk_id": null, "vocab": [["?", 0], ["a", -1.5]]})");
    CHECK(complaint(json).empty());
    json["model"][Json::json_pointer(pointer)] = Json::parse(value);
    CHECK(complaint(json) == expected);
  }
}

TEST_CASE("scores are as exact as the reference reads them") {
  // The second score is twice the first. The reference reads it as −9.02165985107422, and so takes
  // two pieces; read exactly, it were a tie, which the one piece wins.
  Json json = bert();
  json["model"] = Json::parse(
      R"({"type": "Unigram", "unk_id": 0,
          "vocab": [["?", 0], ["a", -4.510829925537109], ["aa", -9.021659851074219]]})");
  CHECK(tokens_of(load(json).encode("aa", std::nullopt, {})) == "[CLS]|a|a|[SEP]");
}

TEST_CASE("added tokens are numbered after all pieces of a Unigram, also those that are repeated") {
  // The ids are those of tokenizers 0.23.3.
  Json json = bert();
  json["model"] = Json::parse(
      R"({"type": "Unigram", "unk_id": 0,
          "vocab": [["?", 0], ["a", -1], ["b", -2], ["a", -3], ["new", -9], ["c", -1], ["a", -2]]})");
  // [UNK], [CLS] and [SEP] are not pieces: 7, 8, 9. The template has ids of its own.
  CHECK(numbers_of(load(json).encode("a[SEP]new", std::nullopt, {}).ids) == "2 6 9 4 3");
  json["model"]["vocab"][4][0] = "c";
  CHECK(numbers_of(load(json).encode("a[SEP]new", std::nullopt, {}).ids) == "2 6 9 10 3");
}

TEST_CASE("an unknown part of a Unigram is shown as the text has it") {
  Json json = bert();
  json["model"] =
      Json::parse(R"({"type": "Unigram", "unk_id": 0, "vocab": [["?", 0], ["a", -1]]})");
  const Encoding encoding = load(json).encode("xyay xy", std::nullopt, {});
  CHECK(tokens_of(encoding) == "[CLS]|xy|a|y|xy|[SEP]");
  CHECK(numbers_of(encoding.ids) == "2 0 1 0 0 3");
  CHECK(offsets_of(encoding) == "0-0 0-2 2-3 3-4 5-7 0-0");
}

TEST_CASE("a file that is no tokenizer.json") {
  for (const char* content : {"", "[]", "3", "{}", "{\"model\": {}}", "\xff"}) {
    CAPTURE(printable(content));
    const TemporaryFolder folder;
    const std::string file = folder.write("tokenizer.json", content);
    CHECK_THROWS_AS(read_tokenizer_json(file), Error);
  }
}

}  // namespace headlight::tokenizer_json_test
