#include "text/files/json_vocabulary.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fields.h"
#include "base/json.h"

namespace headlight {

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
                             ", expected a whole number from 0 to " +
                             std::to_string(Fields::kLargestSize));
    }
    entries.push_back({token, id.get<TokenId>()});
  }
  if (entries.empty()) throw Error(where, place + "found an object, expected at least one token");
  return Vocabulary(std::move(entries));
}

}  // namespace headlight
