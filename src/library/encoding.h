// Tokens and words as places in the bytes of a text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

/// Gives the place of a token or word of a handle: its sequence, and its bytes unless they are
/// NULL. All are 0 if there is none.
template <typename Handle>
std::int32_t give_place(const Handle* handle, std::size_t i, std::size_t* begin, std::size_t* end) {
  const bool exists = handle != nullptr && i < handle->places.size();
  const hl_encoding::Place place = exists ? handle->places[i] : hl_encoding::Place{};
  if (begin != nullptr) *begin = place.begin;
  if (end != nullptr) *end = place.end;
  return place.sequence;
}

/// All but the words, which take as long as half of tokenizing.
void fill_encoding(const TextInput& input, const Encoding& encoding, hl_encoding& made);
void fill_words(const TextInput& input, const Encoding& encoding, hl_encoding& made);

}  // namespace headlight
