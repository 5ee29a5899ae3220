// What the readers of a tokenizer.json's components share. All throw Error that names the field:
// what is broken, or what is not supported.
#pragma once

#include <string>
#include <vector>

#include "base/fields.h"
#include "base/json_fwd.h"
#include "text/splitters/pattern.h"

namespace headlight {

/// A component of the file and where it stands, for errors.
struct Component {
  const Json& json;
  std::string where;  // the file
  std::string path;   // in the file: "normalizer.normalizers[1]"

  Fields fields() const { return Fields(json, where, path); }
};

/// The items of the list `name`, each a component.
std::vector<Component> read_list(Fields& fields, const std::string& name);

/// A flag that the reference has no default for.
bool required_flag(Fields& fields, const std::string& name);

/// A string of one character.
char32_t required_character(Fields& fields, const std::string& name);

/// `"pattern": {"String": " "}` or `{"Regex": "\\s+"}`
Pattern read_pattern(Fields& fields);

/// Throws: `type` is one that we don't read.
[[noreturn]] void refuse_type(const Fields& fields, const std::string& type,
                              const std::string& supported);

}  // namespace headlight
