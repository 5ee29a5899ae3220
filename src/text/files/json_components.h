// Shared by the readers of the components of a tokenizer.json. All throw Error that names the field
// and what is invalid or not supported.
#pragma once

#include <string>
#include <vector>

#include "base/fields.h"
#include "base/json_fwd.h"
#include "text/splitters/pattern.h"

namespace headlight {

/// A component of the file and its place, for errors.
struct Component {
  const Json& json;
  std::string where;  // the file
  std::string path;   // in the file: "normalizer.normalizers[1]"

  Fields fields() const { return Fields(json, where, path); }
};

/// The items of the list `name`, as components.
std::vector<Component> read_list(Fields& fields, const std::string& name);

/// A flag without a default in the reference.
bool required_flag(Fields& fields, const std::string& name);

/// A string of one character.
char32_t required_character(Fields& fields, const std::string& name);

/// `"pattern": {"String": " "}` or `{"Regex": "\\s+"}`
Pattern read_pattern(Fields& fields);

/// Throws Error: `type` is not supported.
[[noreturn]] void refuse_type(const Fields& fields, const std::string& type,
                              const std::string& supported);

}  // namespace headlight
