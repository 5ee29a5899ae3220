// Tokens and words as places in the bytes of a text.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "classifier/text_classifier.h"
#include "library/handles.h"
#include "text/encoding.h"

namespace headlight {

/// The bytes of ranges of code points.
class BytePlaces {
 public:
  explicit BytePlaces(const TextInput& input);
  hl_encoding::Place of(Sequence sequence, Offset offset) const;

 private:
  std::array<std::vector<std::size_t>, 2> starts_;  // of each code point, and the end
};

void fill_encoding(const TextInput& input, const Encoding& encoding, hl_encoding& made);

}  // namespace headlight
