// The top-level fields of one line of JSONL, numbers in the spelling they came in: an id of 1.0 or
// of twenty digits is given back as it was.
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
    // A string's text; a number, true, false or null, an object or an array as it is spelled.
    std::string text;
  };

  /// Throws TextError: not JSON, not an object, a name twice, nested too deep.
  explicit JsonLine(std::string_view line);

  const Field* find(std::string_view name) const;
  const std::vector<Field>& fields() const { return fields_; }

 private:
  std::vector<Field> fields_;
};

}  // namespace headlight
