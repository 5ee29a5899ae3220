// Replays the reference's answers: tests/golden/tokenizer.json and components.json, which
// scripts/make_tokenizer_golden makes (scripts/check_tokenizer does the same at full size), and
// tokenizer_folders.json, which scripts/make_folder_golden makes.
#include <map>
#include <optional>
#include <string>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/temporary_folder.h"
#include "text/published_tokenizer.h"
#include "text/tokenizer.h"
#include "text_support.h"

namespace headlight {
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
    const TemporaryFile file(group["tokenizer"].dump());
    return Tokenizer::from_file(file.path());
  }
  return Tokenizer::from_settings(settings_of(group["settings"]),
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

/// Returns the number of cases.
std::size_t replay(const Json& golden) {
  std::size_t cases = 0;
  for (Json group : golden["groups"]) {
    CAPTURE(group["name"].get<std::string>());
    if (golden.contains("model")) group["tokenizer"]["model"] = golden["model"];
    const Tokenizer tokenizer = tokenizer_of(group);
    for (const Json& row : group["cases"]) check_case(tokenizer, row);
    cases += group["cases"].size();
  }
  return cases;
}

}  // namespace

TEST_CASE("the reference's answers") {
  CHECK(replay(read_json_file(kGolden + "tokenizer.json")) > 400);
}

TEST_CASE("the reference's answers for each component") {
  CHECK(replay(read_json_file(kGolden + "components.json")) > 600);
}

TEST_CASE("the reference's answers for published folders") {
  const std::map<std::string, std::string> classes = {
      {"bert", "BertTokenizer"},       {"distilbert", "BertTokenizer"},
      {"electra", "BertTokenizer"},    {"mpnet", "MPNetTokenizer"},
      {"roberta", "RobertaTokenizer"}, {"xlm-roberta", "XLMRobertaTokenizer"}};
  const Json golden = read_json_file(kGolden + "tokenizer_folders.json");
  std::size_t cases = 0;
  for (const Json& group : golden["groups"]) {
    CAPTURE(group["name"].get<std::string>());
    const TemporaryFolder folder;
    for (const auto& [name, content] : group["files"].items()) {
      folder.write(name, content.get<std::string>());
    }
    const auto published =
        read_published_tokenizer(folder.path(), classes.at(group["model_type"].get<std::string>()));
    REQUIRE(published);
    for (const Json& row : group["cases"]) check_case(published->tokenizer, row);
    cases += group["cases"].size();
  }
  CHECK(cases > 500);
}

}  // namespace headlight
