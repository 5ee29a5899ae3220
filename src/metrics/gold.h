// Gold labels, read from the text in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "classifier/prediction.h"

namespace headlight {

struct Gold {
  /// Label numbers, ascending, no duplicates; exactly one for single-label models.
  std::vector<std::size_t> labels;
  double value = 0.0;  // regression only
};

class GoldReader {
 public:
  /// What the spelling of one label is to the model.
  enum class Match : std::uint8_t { name, number, none };

  /// `translations`: spellings of the input, and the numbers of the labels that they stand for.
  explicit GoldReader(const LabelSet& labels,
                      const std::map<std::string, std::size_t>& translations = {});

  ProblemType problem_type() const { return problem_type_; }
  const std::vector<std::string>& names() const { return names_; }
  /// A translated spelling is a name. A number is one only if no label has this name.
  Match match(const std::string& spelled) const;
  /// The spelling of each label in a row of a classifier. Throws TextError.
  std::vector<std::string> parts(const std::string& spelled) const;

  /// Reads a label's name or number; for multi-label models several, separated by | or as a JSON
  /// array; for a regression a number. Throws TextError that lists the labels if a label is
  /// unknown.
  Gold read(const std::optional<std::string>& spelled) const;

 private:
  std::optional<std::size_t> find(const std::string& spelled) const;
  std::size_t number_of(const std::string& spelled) const;

  ProblemType problem_type_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace headlight
