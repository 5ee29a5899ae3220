#include "text/files/json_added_tokens.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace headlight {

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

std::vector<AddedToken> read_added_tokens(Fields& file) {
  std::vector<AddedToken> tokens;
  std::set<std::string> known;
  if (file.find_value("added_tokens") == nullptr) return tokens;
  for (const Component& component : read_list(file, "added_tokens")) {
    AddedToken token = read_added_token(component);
    if (token.content.empty() || !known.insert(token.content).second) continue;
    tokens.push_back(std::move(token));
  }
  return tokens;
}

void number_added_tokens(std::vector<AddedToken>& tokens, const WordModel& model) {
  auto next_id = static_cast<TokenId>(model.size());
  for (AddedToken& token : tokens) {
    token.id = model.vocabulary().id(token.content).value_or(next_id);
    next_id = std::max(next_id, token.id + 1);
  }
}

}  // namespace headlight
