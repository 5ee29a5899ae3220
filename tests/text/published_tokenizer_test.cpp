// Which file of a published folder wins. The expected tokens are the reference's own (transformers
// 5.23, AutoTokenizer) for the same folders, but where release 5 rebuilds what tokenizer.json says.
#include "text/files/published_tokenizer.h"

#include <algorithm>
#include <map>
#include <string>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/json.h"
#include "base/temporary_folder.h"
#include "text_support.h"

namespace headlight::published_tokenizer_test {
namespace {

using Files = std::map<std::string, std::string>;

constexpr const char* kWords =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n##b\nA\né\ne\n,\n<mask>\n";

constexpr const char* kBertJson = R"({
  "added_tokens": [{"id": 4, "content": "[MASK]", "special": true, "normalized": false}],
  "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                 "strip_accents": null, "lowercase": false},
  "pre_tokenizer": {"type": "BertPreTokenizer"},
  "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
  "model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {"[PAD]": 0, "[UNK]": 1,
            "[CLS]": 2, "[SEP]": 3, "[MASK]": 4, "a": 5, "b": 6, "##b": 7, "A": 8, "é": 9,
            "e": 10, ",": 11, "<mask>": 12}}})";

constexpr const char* kRobertaWords = R"({"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": 4,
  "a": 5, "b": 6, "Ġ": 7, "Ġa": 8, "ab": 9, "Ġab": 10})";
constexpr const char* kMerges = "#version: 0.2\nĠ a\na b\nĠ ab\n";

constexpr const char* kMaskTakesBlank = R"({"content": "[MASK]", "lstrip": true, "rstrip": false,
  "single_word": false, "normalized": false})";

PublishedTokenizer load(const Files& files, const std::string& tokenizer_class) {
  const TemporaryFolder folder;
  for (const auto& [name, content] : files) folder.write(name, content);
  auto read = read_published_tokenizer(folder.path(), tokenizer_class);
  REQUIRE(read);
  return std::move(*read);
}

std::string tokens(const Files& files, const std::string& text,
                   const std::string& tokenizer_class = "BertTokenizer") {
  return tokens_of(load(files, tokenizer_class).tokenizer.encode(text, std::nullopt, {}));
}

std::string offsets(const Files& files, const std::string& text,
                    const std::string& tokenizer_class = "BertTokenizer") {
  return offsets_of(load(files, tokenizer_class).tokenizer.encode(text, std::nullopt, {}));
}

std::string complaint(const Files& files, const std::string& tokenizer_class = "BertTokenizer") {
  const TemporaryFolder folder;
  for (const auto& [name, content] : files) folder.write(name, content);
  try {
    read_published_tokenizer(folder.path(), tokenizer_class);
  } catch (const Error& error) {
    std::string line = error.line();
    while (line.find(folder.path()) != std::string::npos) {
      line.replace(line.find(folder.path()), folder.path().size(), "DIR");
    }
    return line;
  }
  return "";
}

}  // namespace

TEST_CASE("a vocab.txt alone is read as its class does it") {
  const Files words = {{"vocab.txt", kWords}};
  CHECK(tokens(words, "a [MASK] b") == "[CLS]|a|[MASK]|b|[SEP]");
  CHECK(tokens(words, "A é") == "[CLS]|a|e|[SEP]");
  CHECK(tokens(words, "a<mask>") == "[CLS]|a|[UNK]|[UNK]|[UNK]|[SEP]");
  const Files cased = {{"vocab.txt", kWords},
                       {"tokenizer_config.json", R"({"do_lower_case": false})"}};
  CHECK(tokens(cased, "A é") == "[CLS]|A|é|[SEP]");
  const Files accents = {{"vocab.txt", kWords},
                         {"tokenizer_config.json", R"({"strip_accents": false})"}};
  CHECK(tokens(accents, "A é") == "[CLS]|a|é|[SEP]");
  CHECK_FALSE(read_published_tokenizer(TemporaryFolder().path(), "BertTokenizer"));
}

TEST_CASE("special tokens are those of the class unless a file names others") {
  const auto with = [](const std::string& file, const std::string& content) {
    return Files{{"vocab.txt", kWords}, {file, content}};
  };
  const std::string takes_blank = R"({"mask_token": )" + std::string(kMaskTakesBlank) + "}";
  CHECK(offsets(with("special_tokens_map.json", takes_blank), "a [MASK] b") ==
        "0-0 0-1 1-8 9-10 0-0");
  const Files other = with("special_tokens_map.json", R"({"mask_token": "<mask>"})");
  CHECK(tokens(other, "a <mask> b") == "[CLS]|a|<mask>|b|[SEP]");
  CHECK(tokens(other, "a [MASK] b") == "[CLS]|a|[UNK]|[UNK]|[UNK]|b|[SEP]");
  const Files added = with("added_tokens.json", R"({"b c": 13, "XYZ": 14})");
  CHECK(tokens(added, "a b c XYZ xyz") == "[CLS]|a|b c|xyz|xyz|[SEP]");
  // A special token that is not in the vocabulary gets the next id.
  const Files no_mask = {{"vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n"}};
  const auto encoding =
      load(no_mask, "BertTokenizer").tokenizer.encode("a [MASK]", std::nullopt, {});
  CHECK(numbers_of(encoding.ids) == "2 4 5 3");
}

TEST_CASE("fields of tokenizer_config.json replace those of tokenizer.json, and it is said") {
  const auto loaded = load({{"tokenizer.json", kBertJson}}, "BertTokenizer");
  CHECK(tokens_of(loaded.tokenizer.encode("A é", std::nullopt, {})) == "[CLS]|a|e|[SEP]");
  REQUIRE(loaded.contradictions.size() == 1);
  CHECK(loaded.contradictions.front() ==
        "do_lower_case true (the default, not set in tokenizer_config.json) replaces lowercase "
        "false of tokenizer.json");
  const Files agreeing = {{"tokenizer.json", kBertJson},
                          {"tokenizer_config.json", R"({"do_lower_case": false})"}};
  CHECK(tokens(agreeing, "A é") == "[CLS]|A|é|[SEP]");
  CHECK(load(agreeing, "BertTokenizer").contradictions.empty());
  const Files as_given = {
      {"tokenizer.json", kBertJson},
      {"tokenizer_config.json", R"({"tokenizer_class": "PreTrainedTokenizerFast"})"}};
  CHECK(tokens(as_given, "A é") == "[CLS]|A|é|[SEP]");
  CHECK(tokens({{"tokenizer.json", kBertJson}}, "A é", "TokenizersBackend") == "[CLS]|A|é|[SEP]");
}

TEST_CASE("so do those of byte-level classes") {
  const std::string json = R"({
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
    "post_processor": {"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0],
                       "trim_offsets": true, "add_prefix_space": false},
    "model": {"type": "BPE", "merges": [], "vocab": )" +
                           std::string(kRobertaWords) + "}}";
  const auto with = [&](const std::string& config) {
    return Files{{"tokenizer.json", json}, {"tokenizer_config.json", config}};
  };
  const Files prefixed = with(R"({"add_prefix_space": true})");
  CHECK(tokens(with("{}"), "ab", "RobertaTokenizer") == "<s>|a|b|</s>");
  for (const char* name : {"RobertaTokenizer", "GPT2Tokenizer", "DebertaTokenizer"}) {
    CAPTURE(name);
    CHECK(tokens(prefixed, "ab", name) == "<s>|Ġ|a|b|</s>");
  }
  CHECK(tokens(prefixed, "ab", "PreTrainedTokenizerFast") == "<s>|a|b|</s>");
  CHECK(offsets(with("{}"), "a b", "RobertaTokenizer") == "0-0 0-1 2-2 2-3 0-0");
  const Files untrimmed = with(R"({"trim_offsets": false})");
  CHECK(offsets(untrimmed, "a b", "RobertaTokenizer") == "0-0 0-1 1-2 2-3 0-0");
  CHECK(load(untrimmed, "RobertaTokenizer").contradictions ==
        std::vector<std::string>{"trim_offsets false of tokenizer_config.json replaces "
                                 "trim_offsets true of tokenizer.json"});
}

TEST_CASE(
    "added_tokens_decoder wins over tokenizer.json, which wins over special_tokens_map.json") {
  const std::string rules = R"({"mask_token": )" + std::string(kMaskTakesBlank) + "}";
  CHECK(offsets({{"tokenizer.json", kBertJson}, {"special_tokens_map.json", rules}},
                "a [MASK] b") == "0-0 0-1 2-8 9-10 0-0");
  const std::string decoder =
      R"({"added_tokens_decoder": {"4": )" + std::string(kMaskTakesBlank) + "}}";
  const Files files = {{"tokenizer.json", kBertJson}, {"tokenizer_config.json", decoder}};
  CHECK(offsets(files, "a [MASK] b") == "0-0 0-1 1-8 9-10 0-0");
  CHECK(load(files, "BertTokenizer").contradictions.size() == 2);
  const Files named = {{"tokenizer.json", kBertJson},
                       {"tokenizer_config.json", R"({"mask_token": "<mask>"})"}};
  CHECK(tokens(named, "a<mask>", "TokenizersBackend") == "[CLS]|a|<mask>|[SEP]");
}

TEST_CASE("vocab.json and merges.txt are RoBERTa's") {
  Files files = {{"vocab.json", kRobertaWords}, {"merges.txt", kMerges}};
  CHECK(tokens(files, "ab ab", "RobertaTokenizer") == "<s>|ab|Ġa|b|</s>");
  CHECK(tokens(files, "q a", "RobertaTokenizer") == "<s>|Ġa|</s>");
  CHECK(tokens(files, "a <mask> b", "RobertaTokenizer") == "<s>|a|Ġ|<mask>|Ġ|b|</s>");
  CHECK(offsets(files, "a <mask> b", "RobertaTokenizer") == "0-0 0-1 2-2 2-8 9-9 9-10 0-0");
  files["tokenizer_config.json"] = R"({"add_prefix_space": true})";
  CHECK(tokens(files, "ab ab", "RobertaTokenizer") == "<s>|Ġa|b|Ġa|b|</s>");
  files["tokenizer_config.json"] = R"({"trim_offsets": false})";
  CHECK(offsets(files, "a b", "RobertaTokenizer") == "0-0 0-1 1-2 2-3 0-0");
  files.erase("merges.txt");
  files["vocab.txt"] = kWords;
  CHECK(complaint(files, "RobertaTokenizer") ==
        "DIR: has vocab.txt but no tokenizer.json, and tokenizer_class RobertaTokenizer cannot be "
        "built from vocab.txt");
}

TEST_CASE("MPNet reads a vocab.txt with RoBERTa's special tokens") {
  const Files files = {{"vocab.txt", "<s>\n<pad>\n</s>\n[UNK]\n<mask>\na\nb\n"}};
  CHECK(tokens(files, "a <mask> q", "MPNetTokenizer") == "<s>|a| <mask>|[UNK]|</s>");
  CHECK(tokens(files, "a</s>", "MPNetTokenizer") == "<s>|a|</s>|</s>");
  const auto pair = load(files, "MPNetTokenizer").tokenizer.encode("a", "b", {});
  CHECK(tokens_of(pair) == "<s>|a|</s>|</s>|b|</s>");
  CHECK(numbers_of(pair.type_ids) == "0 0 0 0 0 0");
}

TEST_CASE("habits: longest text, segments, side of the cut, special tokens as text") {
  const auto config = [](const std::string& content) {
    return load({{"vocab.txt", kWords}, {"tokenizer_config.json", content}}, "BertTokenizer");
  };
  CHECK(config(R"({"model_max_length": 12})").max_length == 12);
  CHECK_FALSE(config(R"({"model_max_length": 1000000000000000019884624838656})").max_length);
  CHECK_FALSE(config("{}").max_length);
  const auto pair = [](const PublishedTokenizer& read) {
    return numbers_of(read.tokenizer.encode("a", "b", {}).type_ids);
  };
  CHECK(pair(config("{}")) == "0 0 0 1 1");
  CHECK(pair(config(R"({"model_input_names": ["input_ids", "attention_mask"]})")) == "0 0 0 0 0");
  const EncodeOptions three{.max_length = 3};
  const auto cut = [&](const PublishedTokenizer& read) {
    return tokens_of(read.tokenizer.encode("a b", std::nullopt, three));
  };
  CHECK(cut(config("{}")) == "[CLS]|a|[SEP]");
  CHECK(cut(config(R"({"truncation_side": "left"})")) == "[CLS]|b|[SEP]");
  const auto plain = config(R"({"split_special_tokens": true})");
  CHECK(tokens_of(plain.tokenizer.encode("[SEP]", std::nullopt, {})) ==
        "[CLS]|[UNK]|[UNK]|[UNK]|[SEP]");
}

TEST_CASE("of 255 and 255 words at 512 tokens the first loses one") {
  const auto times = [](std::size_t count, const std::string& word) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += word + " ";
    return text;
  };
  const auto words = load({{"vocab.txt", kWords}}, "BertTokenizer");
  const auto pair = words.tokenizer.encode(times(255, "a"), times(255, "b"), {.max_length = 512});
  CHECK(pair.size() == 512);
  CHECK(pair.truncated == 1);
  CHECK(std::count(pair.sequences.begin(), pair.sequences.end(), Sequence::first) == 254);
  CHECK(std::count(pair.type_ids.begin(), pair.type_ids.end(), 1U) == 256);  // with its [SEP]
}

TEST_CASE("what cannot be read is named") {
  const auto config = [](const std::string& content) {
    return complaint({{"vocab.txt", kWords}, {"tokenizer_config.json", content}});
  };
  CHECK(config(R"({"do_lower_case": 1})") ==
        "DIR/tokenizer_config.json: do_lower_case: found 1, expected true or false");
  CHECK(config(R"({"model_max_length": "long"})") ==
        "DIR/tokenizer_config.json: model_max_length: found \"long\", expected a number of tokens");
  CHECK(config(R"({"mask_token": 3})") ==
        "DIR/tokenizer_config.json: mask_token: found 3, expected a token or an object with its "
        "content");
  CHECK(
      config(R"({"truncation_side": "middle"})") ==
      "DIR/tokenizer_config.json: truncation_side: found \"middle\", expected one of right, left");
  CHECK(config(R"({"auto_map": {"AutoTokenizer": ["x", null]}})") ==
        "DIR/tokenizer_config.json: auto_map: found a tokenizer with custom code, which is not "
        "supported");
  CHECK(config(R"({"tokenizer_class": "BertJapaneseTokenizer"})") ==
        "DIR/tokenizer_config.json: tokenizer_class: \"BertJapaneseTokenizer\" is not supported: "
        "it uses custom code instead of a tokenizer.json");
  CHECK(config(R"({"cls_token": null})") ==
        "DIR/tokenizer_config.json: cls_token is null, but required");
  CHECK(complaint({{"vocab.txt", kWords}, {"added_tokens.json", R"({"x": "y"})"}}) ==
        "DIR/added_tokens.json: x: found \"y\", expected a whole number of at least 0");
  CHECK(config(R"({"added_tokens_decoder": {"x": {"content": "y"}}})") ==
        "DIR/tokenizer_config.json: added_tokens_decoder.x is not a token id, expected a whole "
        "number");
}

}  // namespace headlight::published_tokenizer_test
