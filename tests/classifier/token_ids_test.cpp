#include "classifier/token_ids.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace headlight {
namespace {

TEST_CASE("typed ids are cut with their type ids and offsets") {
  const TypedIds typed = parse_typed_ids("5 6 7", "0,0,1");
  const Encoding cut = encode_typed(typed, std::nullopt, 2);
  CHECK(cut.ids == std::vector<TokenId>{5, 6});
  CHECK(cut.type_ids == std::vector<TokenId>{0, 0});
  CHECK(cut.offsets == std::vector<Offset>{{0, 1}, {2, 3}});
  CHECK(cut.tokens == std::vector<std::string>{"5", "6"});
  CHECK(cut.truncated == 1);
  const Encoding whole = encode_typed(typed, std::nullopt, std::nullopt);
  CHECK(whole.ids == typed.ids);
  CHECK(whole.type_ids == typed.type_ids);
  CHECK(whole.truncated == 0);
}

TEST_CASE("an id is shown as the vocabulary's token, where it has one") {
  TokenizerSettings settings;
  settings.type = TokenizerSettings::Type::whitespace;
  const std::optional<Tokenizer> words = Tokenizer::from_settings(settings, {"a", "b"}, "w");
  const Encoding encoding = encode_typed(parse_typed_ids("1 0 2", {}), words, std::nullopt);
  CHECK(encoding.tokens == std::vector<std::string>{"b", "a", "2"});
}

}  // namespace
}  // namespace headlight
