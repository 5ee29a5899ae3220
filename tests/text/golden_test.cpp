// Replays the reference's answers: tests/golden/tokenizer.json and components.json, which
// scripts/make tokenizer_golden makes (scripts/check tokenizer does the same at full size), and
// tokenizer_folders.json, which scripts/make folder_golden makes; windows.json comes from the
// former.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/error_of.h"
#include "base/json.h"
#include "base/temporary_folder.h"
#include "text/files/native_tokenizer.h"
#include "text/files/published_tokenizer.h"
#include "text/files/tokenizer_json.h"
#include "text/files/vocabulary_file.h"
#include "text_support.h"

namespace headlight::golden_test {
namespace {

const std::string kGolden = std::string(HEADLIGHT_TEST_DATA) + "/golden/";

TokenizerSettings settings_of(const Json& json) {
  TokenizerSettings settings;
  const std::string type = json.value("type", "wordpiece");
  if (type == "words") settings.type = TokenizerSettings::Type::words;
  if (type == "whitespace") settings.type = TokenizerSettings::Type::whitespace;
  settings.lowercase = json.value("lowercase", false);
  settings.strip_accents = json.value("strip_accents", false);
  return settings;
}

Tokenizer tokenizer_of(const Json& group) {
  if (group.contains("tokenizer")) {
    const TemporaryFolder folder;
    const std::string file = folder.write("tokenizer.json", group["tokenizer"].dump());
    return read_tokenizer_json(file);
  }
  return make_native_tokenizer(settings_of(group["settings"]),
                               read_vocabulary(kGolden + "tokenizer_vocabulary.txt"), "golden");
}

std::string offsets_of(const Json& offsets) {
  Encoding encoding;
  for (const Json& offset : offsets) {
    encoding.offsets.push_back({offset[0].get<std::size_t>(), offset[1].get<std::size_t>()});
  }
  return headlight::offsets_of(encoding);
}

void check_case(const Tokenizer& tokenizer, const Json& row) {
  const auto text = row["text"].get<std::string>();
  const auto pair = row.value("pair", std::string());
  CAPTURE(text);
  CAPTURE(pair);
  EncodeOptions options;
  if (row.contains("max_length")) options.max_length = row["max_length"].get<std::size_t>();
  std::optional<std::string_view> second;
  if (row.contains("pair")) second = pair;
  const Encoding encoding = tokenizer.encode(text, second, options);
  CHECK(tokens_of(encoding) == joined(row["tokens"].get<std::vector<std::string>>()));
  CHECK(encoding.tokens == row["tokens"].get<std::vector<std::string>>());
  if (row.contains("ids")) {
    CHECK(numbers_of(encoding.ids) == numbers_of(row["ids"].get<std::vector<TokenId>>()));
  }
  CHECK(headlight::offsets_of(encoding) == offsets_of(row["offsets"]));
  if (row.contains("type_ids")) {
    CHECK(numbers_of(encoding.type_ids) == numbers_of(row["type_ids"].get<std::vector<TokenId>>()));
  }
}

using Visit = std::function<void(const Tokenizer& tokenizer, const Json& group)>;

void for_each_tokenizer(const Json& golden, const Visit& visit) {
  for (Json group : golden["groups"]) {
    CAPTURE(group["name"].get<std::string>());
    if (golden.contains("model")) group["tokenizer"]["model"] = golden["model"];
    visit(tokenizer_of(group), group);
  }
}

void for_each_folder(const Json& golden, const Visit& visit) {
  const std::map<std::string, std::string> classes = {
      {"bert", "BertTokenizer"},       {"distilbert", "BertTokenizer"},
      {"electra", "BertTokenizer"},    {"mpnet", "MPNetTokenizer"},
      {"roberta", "RobertaTokenizer"}, {"xlm-roberta", "XLMRobertaTokenizer"},
      {"gpt2", "GPT2Tokenizer"},       {"qwen2", "Qwen2Tokenizer"},
      {"qwen3", "Qwen2Tokenizer"},     {"gemma3_text", "GemmaTokenizer"}};
  for (const Json& group : golden["groups"]) {
    CAPTURE(group["name"].get<std::string>());
    const TemporaryFolder folder;
    for (const auto& [name, content] : group["files"].items()) {
      folder.write(name, content.get<std::string>());
    }
    const auto published =
        read_published_tokenizer(folder.path(), classes.at(group["model_type"].get<std::string>()));
    REQUIRE(published);
    visit(published->tokenizer, group);
  }
}

/// Checks a group's cases and counts them.
Visit replaying(std::size_t& cases) {
  return [&cases](const Tokenizer& tokenizer, const Json& group) {
    for (const Json& row : group["cases"]) check_case(tokenizer, row);
    cases += group["cases"].size();
  };
}

/// A text, or a pair, and how it is to be encoded.
struct Input {
  std::string text;
  std::optional<std::string_view> pair;
  EncodeOptions options;
};

/// Each text alone and in a pair, whole and cut, and as plain text.
void for_each_input(const Json& texts, const std::function<void(const Input&)>& visit) {
  constexpr std::optional<std::string_view> kPairs[] = {std::nullopt, "",
                                                        "the end [SEP] of a word"};
  constexpr std::optional<std::size_t> kLengths[] = {std::nullopt, 0, 7};
  for (const Json& text : texts) {
    for (const auto& pair : kPairs) {
      for (const auto& length : kLengths) {
        for (const bool plain_text : {false, true}) {
          const auto how = plain_text ? Truncation::only_first : Truncation::longest_first;
          visit({text.get<std::string>(), pair, {length, plain_text, how}});
        }
      }
    }
  }
}

std::string told(const TokenIds& tokens) {
  return numbers_of(tokens.ids) + ", types " + numbers_of(tokens.type_ids) + ", cut " +
         std::to_string(tokens.truncated);
}

/// "5 0-2", the tokens of one text.
std::vector<std::string> tokens_from(Sequence sequence, const Encoding& encoding) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < encoding.size(); ++i) {
    if (encoding.sequences[i] != sequence) continue;
    const auto& [begin, end] = encoding.offsets[i];
    tokens.push_back(std::to_string(encoding.ids[i]) + " " + std::to_string(begin) + "-" +
                     std::to_string(end));
  }
  return tokens;
}

/// Whether `encoding` is `whole` but for what was cut off its texts.
void check_cut(const Encoding& encoding, const Encoding& whole, bool cuts_left) {
  std::size_t cut = 0;
  for (const Sequence sequence : {Sequence::first, Sequence::second}) {
    const auto kept = tokens_from(sequence, encoding);
    auto all = tokens_from(sequence, whole);
    REQUIRE(kept.size() <= all.size());
    const auto off = static_cast<std::ptrdiff_t>(all.size() - kept.size());
    const auto from = cuts_left ? all.begin() : all.end() - off;
    all.erase(from, from + off);
    CHECK(joined(kept) == joined(all));
    cut += static_cast<std::size_t>(off);
  }
  CHECK(encoding.truncated == cut);
}

/// Both ways to encode against one another, and the cut text against the whole one. Returns the
/// number of texts.
std::size_t check_ways_to_encode(const Tokenizer& tokenizer, const Json& texts, bool cuts_left) {
  std::size_t count = 0;
  TokenIds ids;  // the same for all: nothing of one text may stay for the next
  for_each_input(texts, [&](const Input& input) {
    ++count;
    CAPTURE(input.text);
    try {
      const Encoding encoding = tokenizer.encode(input.text, input.pair, input.options);
      tokenizer.encode_ids(input.text, input.pair, input.options, ids);
      CHECK(told(ids) == told(encoding));
      EncodeOptions uncut = input.options;
      uncut.max_length = std::nullopt;
      check_cut(encoding, tokenizer.encode(input.text, input.pair, uncut), cuts_left);
    } catch (const Error& error) {
      CHECK(error_of([&] { tokenizer.encode_ids(input.text, input.pair, input.options, ids); }) ==
            error.what());
    }
  });
  return count;
}

}  // namespace

TEST_CASE("the reference's answers") {
  std::size_t cases = 0;
  for_each_tokenizer(read_json_file(kGolden + "tokenizer.json"), replaying(cases));
  CHECK(cases > 400);
}

TEST_CASE("windows over a long text are what the reference keeps and what overflows") {
  std::size_t cases = 0;
  const Json golden = read_json_file(kGolden + "windows.json");
  for (const Json& group : golden["groups"]) {
    CAPTURE(group["name"].get<std::string>());
    CAPTURE(group["truncation_side"].get<std::string>());
    const TemporaryFolder folder;
    folder.write("tokenizer.json", group["tokenizer"].dump());
    const Json config = {{"truncation_side", group["truncation_side"]}};
    folder.write("tokenizer_config.json", config.dump());
    const auto published = read_published_tokenizer(folder.path(), "PreTrainedTokenizerFast");
    REQUIRE(published);
    for (const Json& row : group["cases"]) {
      CAPTURE(row.dump());
      EncodeOptions options;
      options.max_length = 10;
      options.stride = row["stride"].get<std::size_t>();
      std::optional<std::string> pair;
      if (row.contains("pair")) pair = row["pair"].get<std::string>();
      const TokenWindows windows =
          published->tokenizer.encode_windows(row["text"].get<std::string>(), pair, options);
      REQUIRE(windows.count() == row["windows"].size());
      for (std::size_t i = 0; i < windows.count(); ++i) {
        const TokenIds window = windows.window(i);
        CHECK(Json({window.ids, window.type_ids}) == row["windows"][i]);
      }
      ++cases;
    }
  }
  CHECK(cases == 64);
}

TEST_CASE("the reference's answers for each component") {
  std::size_t cases = 0;
  for_each_tokenizer(read_json_file(kGolden + "components.json"), replaying(cases));
  CHECK(cases > 600);
}

TEST_CASE("the reference's answers for published folders") {
  std::size_t cases = 0;
  for_each_folder(read_json_file(kGolden + "tokenizer_folders.json"), replaying(cases));
  CHECK(cases > 500);
}

TEST_CASE("ids alone are those of the whole encoding, and a cut text is the whole one's end less") {
  const Json texts = read_json_file(kGolden + "tokenizer_texts.json");
  std::size_t encoded = 0;
  const Visit visit = [&](const Tokenizer& tokenizer, const Json& group) {
    encoded += check_ways_to_encode(tokenizer, texts, group["name"] == "cut on the left");
  };
  for_each_tokenizer(read_json_file(kGolden + "tokenizer.json"), visit);
  for_each_tokenizer(read_json_file(kGolden + "components.json"), visit);
  for_each_folder(read_json_file(kGolden + "tokenizer_folders.json"), visit);
  CHECK(encoded > 100'000);
}

}  // namespace headlight::golden_test
