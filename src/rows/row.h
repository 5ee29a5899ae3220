// A row of input, whatever file it came from.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "classifier/text_classifier.h"

namespace headlight {

/// An id in the input's own spelling.
struct RowId {
  std::string text;
  bool is_string = false;  // else a number, true, false or null as JSON spells it
};

/// A column or field of the input that goes through to the output.
struct KeptField {
  std::string name;
  std::optional<std::string> text;  // nothing: a table's null
  bool is_string = true;            // else JSON as it is spelled
};

struct Row {
  RowId id;  // the row's number, from 0, where the input has none
  TextInput input;
  std::optional<std::string> label;  // what it should be given, as spelled; an array as its JSON
  std::vector<KeptField> kept;       // all of them, in the input's order; none where not asked for
  std::string error;                 // not empty: the row could not be read
};

/// About how much memory the texts of a row take, or its token ids.
std::size_t bytes_of(const Row& row);

}  // namespace headlight
