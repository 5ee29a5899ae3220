#include "text/files/json_components.h"

#include "base/error.h"
#include "base/json.h"
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

Pattern read_pattern(Fields& fields) {
  Fields pattern(fields.required("pattern"), fields.where(), fields.path_of("pattern"));
  const bool is_string = pattern.find("String") != nullptr;
  const std::string source = pattern.required_string(is_string ? "String" : "Regex");
  if (is_string && !source.empty()) return Pattern::of_string(to_code_points(source));
  try {
    return Pattern::of_expression(source);
  } catch (const Error& error) {
    pattern.complain("Regex",
                     excerpt(Json(source)) + " is not a valid regular expression: " + error.line());
  }
}

void refuse_type(const Fields& fields, const std::string& type, const std::string& supported) {
  throw Error(fields.where(),
              fields.path_of("type") + ": " + excerpt(Json(type)) + " is not supported",
              "headlight supports " + supported);
}

}  // namespace headlight
