// Labels of a file that says which labels there are: their names, numbers and meaning.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "training/labelled_rows.h"

namespace headlight {

/// Whether the label of a row spells several: a JSON array, or a bar between them.
bool spells_several(std::string_view spelled);

/// The names in the label of a row with any number of labels. Throws TextError.
std::vector<std::string> spelled_labels(const std::string& spelled);

/// Sorts label names: by value if all are integers, else by code point; removes duplicates.
void number_labels(std::vector<std::string>& names);

/// Reads the labels of rows. Refers to the LabelNames.
class LabelReader {
 public:
  explicit LabelReader(const LabelNames& labels);

  /// What a row with this label teaches. Throws TextError for a label that is not among the names,
  /// for no label where one is needed, and for a value that is not a number.
  RowTarget target_of(const std::string& spelled) const;

 private:
  std::size_t number_of(const std::string& name) const;

  const LabelNames& labels_;
  std::unordered_map<std::string_view, std::size_t> numbers_;  // by name
};

}  // namespace headlight
