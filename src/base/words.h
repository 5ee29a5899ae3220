// The words for the values of an enum, in files and on the command line: one table beside the enum,
// read both ways.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace headlight {

template <typename T>
struct Word {
  const char* name;
  T value;
};

/// The first word for `value`, which must have one.
template <typename T, std::size_t Count>
const char* word_for(T value, const std::array<Word<T>, Count>& words) {
  return std::ranges::find(words, value, &Word<T>::value)->name;
}

/// What the word means; empty if the table does not have it.
template <typename T, std::size_t Count>
std::optional<T> value_of(std::string_view name, const std::array<Word<T>, Count>& words) {
  for (const Word<T>& word : words) {
    if (name == word.name) return word.value;
  }
  return std::nullopt;
}

}  // namespace headlight
