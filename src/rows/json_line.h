// The top-level fields of one line of JSONL. Numbers keep their spelling: an id of 1.0 or of twenty
// digits is returned unchanged.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

class JsonLine {
 public:
  enum class Kind : std::uint8_t { string, scalar, nested };
  struct Field {
    std::string name;
    Kind kind = Kind::scalar;
    // The text of a string; the JSON of any other value, as it is in the line.
    std::string text;
  };

  /// NaN and infinities are read as null. Throws TextError: not JSON, not an object, a duplicate
  /// name, nested too deep.
  explicit JsonLine(std::string_view line);
  /// Does not throw: `fault` gets what is wrong with the line, which then has the fields before the
  /// fault, and none that it has twice.
  JsonLine(std::string_view line, std::string& fault);

  /// The field of this name, else the one that a path with dots leads to: "a.b" is the field "b" of
  /// the object "a". nullptr if there is none. Throws TextError if a nested object has a name
  /// twice.
  const Field* find(std::string_view name) const;
  const std::vector<Field>& fields() const { return fields_; }

 private:
  std::string read(std::string_view line);
  const Field* find_by_path(std::string_view path) const;

  std::vector<Field> fields_;
  mutable std::vector<std::unique_ptr<JsonLine>> nested_;  // objects that paths led to
};

}  // namespace headlight
