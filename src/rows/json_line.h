// The top-level fields of one line of JSONL. Numbers keep their spelling: an id of 1.0 or of twenty
// digits is returned unchanged.
#pragma once

#include <cstdint>
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

  /// Throws TextError: not JSON, not an object, a duplicate name, nested too deep.
  explicit JsonLine(std::string_view line);

  const Field* find(std::string_view name) const;
  const std::vector<Field>& fields() const { return fields_; }

 private:
  std::vector<Field> fields_;
};

}  // namespace headlight
