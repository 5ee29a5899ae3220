#include "text/files/published_added_tokens.h"

#include <charconv>
#include <map>
#include <utility>

#include "base/file.h"
#include "text/files/json_added_tokens.h"
#include "text/files/json_components.h"

namespace headlight {
namespace {

using Numbered = std::map<std::size_t, AddedToken>;  // ordered by id

bool has_decoder(const SideFiles& files) {
  return files.config.json.contains("added_tokens_decoder");
}

/// Tokens by their content, in the order in which they were added.
class TokenList {
 public:
  explicit TokenList(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) places_.emplace(tokens_[i].content, i);
  }

  AddedToken* find(const std::string& content) {
    const auto place = places_.find(content);
    return place == places_.end() ? nullptr : &tokens_[place->second];
  }
  /// Keeps a token with the same content.
  void add(AddedToken token) {
    if (!places_.emplace(token.content, tokens_.size()).second) return;
    tokens_.push_back(std::move(token));
  }
  std::vector<AddedToken> take() { return std::move(tokens_); }

 private:
  std::vector<AddedToken> tokens_;
  std::map<std::string, std::size_t> places_;
};

bool same_rules(const AddedToken& a, const AddedToken& b) {
  return a.special == b.special && a.normalized == b.normalized && a.lstrip == b.lstrip &&
         a.rstrip == b.rstrip && a.single_word == b.single_word;
}

AddedToken special_token(const std::string& content, bool takes_blank) {
  AddedToken token;
  token.content = content;
  token.special = true;
  token.lstrip = takes_blank;
  return token;
}

/// A special token: only its content, or an object with its rules.
AddedToken read_special(const Json& value, const Fields& fields, const std::string& name,
                        bool takes_blank) {
  if (value.is_string()) return special_token(value.get<std::string>(), takes_blank);
  if (!value.is_object()) fields.fail(name, "a token or an object with its content");
  AddedToken token = read_added_token({value, fields.where(), fields.path_of(name)});
  token.special = true;
  token.normalized = token.normalized && value.contains("normalized");
  return token;
}

std::optional<AddedToken> read_named(const SideFile& file, const std::string& name,
                                     bool takes_blank) {
  Fields fields = file.fields();
  const Json* value = fields.find_value(name);
  if (value == nullptr) return std::nullopt;
  return read_special(*value, fields, name, takes_blank);
}

/// `"added_tokens_decoder": {"4": {"content": "[MASK]", …}}`
Numbered read_decoder(const SideFile& config) {
  Fields fields = config.fields();
  Numbered tokens;
  Fields decoder(fields.required("added_tokens_decoder"), config.path, "added_tokens_decoder");
  for (const auto& [number, value] : fields.required("added_tokens_decoder").items()) {
    std::size_t id = 0;
    const char* end = number.data() + number.size();
    const auto [stop, error] = std::from_chars(number.data(), end, id);
    if (error != std::errc() || stop != end) {
      decoder.complain(number, "is not a token id, expected a whole number");
    }
    tokens[id] = read_added_token({value, config.path, decoder.path_of(number)});
  }
  return tokens;
}

/// added_tokens.json: `{"<mask>": 4}`
Numbered read_added_file(const SideFile& file) {
  Fields fields = file.fields();
  Numbered tokens;
  for (const auto& item : file.json.items()) {
    AddedToken& token = tokens[fields.required_size(item.key(), 0)];
    token.content = item.key();
    token.normalized = true;
  }
  return tokens;
}

/// The lists of additional special tokens, which release 5 calls extra_special_tokens.
std::vector<AddedToken> read_extra(const SideFile& file) {
  Fields fields = file.fields();
  std::vector<AddedToken> tokens;
  for (const char* name : {"additional_special_tokens", "extra_special_tokens"}) {
    const Json* list = fields.find_value(name);
    if (list == nullptr) continue;
    if (!list->is_array() && !list->is_object()) fields.fail(name, "a list of tokens");
    for (const auto& value : *list) tokens.push_back(read_special(value, fields, name, false));
  }
  return tokens;
}

/// The named and additional special tokens of the folder, in the order of the reference.
std::vector<AddedToken> read_specials(const SideFiles& files, const TokenizerClass& kind) {
  std::vector<AddedToken> specials;
  for (std::size_t i = 0; i < kSpecialNames.size(); ++i) {
    if (auto token = named_token(files, kind, static_cast<SpecialName>(i))) {
      specials.push_back(std::move(*token));
    }
  }
  std::vector<const SideFile*> sources = {&files.config};
  if (!has_decoder(files)) sources.push_back(&files.special_tokens_map);
  for (const SideFile* source : sources) {
    for (AddedToken& token : read_extra(*source)) specials.push_back(std::move(token));
  }
  return specials;
}

std::string complaint(const std::string& file, const AddedToken& token, const char* used) {
  return file + " and tokenizer.json have different rules for the token " +
         excerpt(Json(token.content)) + "; " + used + " is used";
}

}  // namespace

SideFile::SideFile(const std::string& folder, const std::string& name)
    : path(folder + "/" + name), json(Json::object()) {
  if (file_exists(path)) json = read_json_file(path);
  fields();  // throws if it is not an object
}

std::optional<AddedToken> named_token(const SideFiles& files, const TokenizerClass& kind,
                                      SpecialName name) {
  const char* field = kSpecialNames[static_cast<std::size_t>(name)];
  const bool takes_blank = name == SpecialName::mask && kind.mask_takes_blank;
  std::optional<AddedToken> token;
  if (!has_decoder(files)) token = read_named(files.special_tokens_map, field, takes_blank);
  if (!token) token = read_named(files.config, field, takes_blank);
  const bool is_named = files.config.json.contains(field);  // null: there is none
  if (!token && !is_named && kind.special(name) != nullptr) {
    token = special_token(kind.special(name), takes_blank);
  }
  return token;
}

std::vector<AddedToken> gather_added_tokens(const SideFiles& files, const TokenizerClass& kind,
                                            std::vector<AddedToken> tokens,
                                            std::vector<std::string>& contradictions) {
  TokenList all(std::move(tokens));
  TokenList specials(read_specials(files, kind));
  if (has_decoder(files)) {
    for (auto& [id, token] : read_decoder(files.config)) {
      AddedToken* known = all.find(token.content);
      if (known == nullptr) {
        all.add(std::move(token));
      } else if (!same_rules(*known, token)) {
        contradictions.push_back(
            complaint("added_tokens_decoder of tokenizer_config.json", token, "the former"));
        *known = std::move(token);
      }
    }
  } else {
    for (auto& [id, token] : read_added_file(files.added_tokens)) {
      token.special = specials.find(token.content) != nullptr;
      token.normalized = !token.special;
      all.add(std::move(token));
    }
  }
  for (AddedToken& special : specials.take()) {
    if (!special.content.empty()) all.add(std::move(special));
  }
  return all.take();
}

}  // namespace headlight
