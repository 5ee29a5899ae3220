// What a row should have been given, from the spelling in a file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "classifier/prediction.h"

namespace headlight {

struct Gold {
  std::vector<std::size_t> labels;  // by number, ascending, each once; exactly one, or any number
  double value = 0.0;               // of a regression
};

class GoldReader {
 public:
  explicit GoldReader(const LabelSet& labels);

  /// A label's name or else its number; several with | between or as a JSON array; a number for a
  /// regression. Throws TextError that lists the labels, where none is known by that name.
  Gold read(const std::optional<std::string>& spelled) const;

 private:
  std::optional<std::size_t> find(const std::string& spelled) const;
  std::size_t number_of(const std::string& spelled) const;
  std::vector<std::string> parts_of(const std::string& spelled) const;

  ProblemType problem_type_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace headlight
