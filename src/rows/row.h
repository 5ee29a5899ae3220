// A row of input, whatever file it came from.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "classifier/text_classifier.h"

namespace headlight {

/// An id in the input's own spelling.
struct RowId {
  std::string text;
  bool is_string = false;  // else a number, true, false or null as JSON spells it
};

struct Row {
  RowId id;  // the row's number, from 0, where the input has none
  TextInput input;
  std::optional<std::string> label;  // what it should be given, as spelled; an array as its JSON
  std::string error;                 // not empty: the row could not be read
};

}  // namespace headlight
