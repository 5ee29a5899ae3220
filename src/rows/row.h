// A row of input, whatever file it came from.
#pragma once

#include <cstddef>
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
  std::string error;  // not empty: the row could not be read
};

}  // namespace headlight
