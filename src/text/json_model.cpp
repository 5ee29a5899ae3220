// The model and the added tokens of a tokenizer.json.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "text/json_components.h"

namespace headlight {
namespace {

/// Files of older releases don't name the type: the fields tell.
std::string type_of(Fields& fields) {
  if (fields.find("type") != nullptr) return fields.required_string("type");
  if (fields.find("merges") != nullptr) return "BPE";
  const Json* vocabulary = fields.find("vocab");
  if (vocabulary != nullptr && vocabulary->is_array()) return "Unigram";
  return fields.find("continuing_subword_prefix") != nullptr ? "WordPiece" : "WordLevel";
}

AddedToken read_added_token(const Component& component) {
  Fields fields = component.fields();
  AddedToken token;
  token.content = fields.required_string("content");
  token.special = fields.flag_or("special", false);
  token.normalized = fields.flag_or("normalized", !token.special);
  token.single_word = fields.flag_or("single_word", false);
  token.lstrip = fields.flag_or("lstrip", false);
  token.rstrip = fields.flag_or("rstrip", false);
  return token;
}

}  // namespace

Vocabulary read_token_ids(const Json& object, const std::string& where, const std::string& path) {
  const std::string place = path.empty() ? "" : path + ": ";
  if (!object.is_object()) {
    throw Error(
        where, place + "found " + excerpt(object) + ", expected an object of tokens and their ids");
  }
  std::vector<Vocabulary::Entry> entries;
  for (const auto& [token, id] : object.items()) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() > Fields::kLargestSize) {
      throw Error(where, place + "the id of " + excerpt(Json(token)) + ": found " + excerpt(id) +
                             ", expected a whole number of 0 or more");
    }
    entries.push_back({token, id.get<TokenId>()});
  }
  if (entries.empty()) throw Error(where, place + "found an object, expected at least one token");
  return Vocabulary(std::move(entries));
}

std::unique_ptr<const WordModel> read_model(const Component& component) {
  Fields fields = component.fields();
  const std::string type = type_of(fields);
  if (type == "BPE") return read_bpe(fields);
  if (type == "Unigram") return read_unigram(fields);
  if (type != "WordPiece" && type != "WordLevel") {
    refuse_type(fields, type, "WordPiece, WordLevel, BPE and Unigram");
  }
  Vocabulary vocabulary =
      read_token_ids(fields.required("vocab"), fields.where(), fields.path_of("vocab"));
  if (type == "WordLevel") {
    auto unk_token = fields.nullable_string_or("unk_token", "<unk>");
    return std::make_unique<WordLevel>(std::move(vocabulary), std::move(unk_token));
  }
  auto unk_token = fields.nullable_string_or("unk_token", "[UNK]");
  const std::string continuation = fields.string_or("continuing_subword_prefix", "##");
  const std::size_t longest_word = fields.size_or("max_input_chars_per_word", 100, 0);
  return std::make_unique<WordPiece>(std::move(vocabulary), std::move(unk_token), continuation,
                                     longest_word);
}

std::vector<AddedToken> read_added_tokens(Fields& file, const Vocabulary& vocabulary) {
  std::vector<AddedToken> tokens;
  if (file.find_value("added_tokens") == nullptr) return tokens;
  // The reference gives new tokens the ids from the number of words on.
  auto next_id = static_cast<TokenId>(vocabulary.index().size());
  for (const Component& component : read_list(file, "added_tokens")) {
    AddedToken token = read_added_token(component);
    const auto is_same = [&](const AddedToken& known) { return known.content == token.content; };
    if (token.content.empty() || std::any_of(tokens.begin(), tokens.end(), is_same)) continue;
    token.id = vocabulary.id(token.content).value_or(next_id);
    next_id = std::max(next_id, token.id + 1);
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace headlight
