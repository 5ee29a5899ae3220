#include "text/json_components.h"

#include "base/error.h"
#include "base/utf8.h"

namespace headlight {

std::vector<Component> read_list(Fields& fields, const std::string& name) {
  const Json& list = fields.required(name);
  if (!list.is_array()) fields.fail(name, "a list");
  std::vector<Component> items;
  for (const Json& item : list) {
    const std::string at = "[" + std::to_string(items.size()) + "]";
    items.push_back({item, fields.where(), fields.path_of(name) + at});
  }
  return items;
}

bool required_flag(Fields& fields, const std::string& name) {
  fields.required(name);
  return fields.flag_or(name, false);
}

char32_t required_character(Fields& fields, const std::string& name) {
  const std::u32string characters = to_code_points(fields.required_string(name));
  if (characters.size() != 1) fields.fail(name, "one character");
  return characters.front();
}

void refuse_type(const Fields& fields, const std::string& type, const std::string& supported) {
  throw Error(fields.where(),
              fields.path_of("type") + ": " + excerpt(Json(type)) + " is not supported",
              "headlight reads " + supported);
}

}  // namespace headlight
