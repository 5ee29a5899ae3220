// Options as C passes them: structs of any version up to ours, words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "base/parallel.h"
#include "base/utf8.h"
#include "base/words.h"
#include "classifier/classifier.h"
#include "inside/explanation.h"
#include "library/calls.h"

namespace headlight {

/// Copies what the caller's struct has, which may be that of an earlier version, over the defaults.
/// Throws ArgumentError if it was not filled, or is of a later version.
template <typename Options>
void take_options(const Options* given, Options& options) {
  if (given == nullptr) return;
  const std::size_t size = given->struct_size;
  if (size < sizeof(std::size_t) || size > sizeof(Options)) {
    throw ArgumentError("struct_size of the options is " + std::to_string(size) + ", expected " +
                        std::to_string(sizeof(Options)) +
                        "; their defaults function sets it, for the version of headlight.h");
  }
  std::memcpy(&options, given, size);
}

/// The value of a word; NULL: the first. Throws ArgumentError that lists the words.
template <typename T, std::size_t Count>
T word_of(const char* option, const char* word, const std::array<Word<T>, Count>& words) {
  if (word == nullptr) return words.front().value;
  const auto value = value_of(word, words);
  if (value) return *value;
  throw ArgumentError(std::string(option) + " is \"" + shortened(word) + "\", expected " +
                      joined(words, ", ", [](const auto& known) { return known.name; }));
}

/// Options of a call, checked.
struct CallOptions {
  /// NULL: the defaults. Throws ArgumentError.
  CallOptions(const hl_run_options* given, const Model& model);

  ClassifierOptions reading;
  std::optional<ExplanationMethod> method;
  std::uint64_t seed = 0;
};

/// The characters of a text or its pair. Throws ArgumentError if there are none.
TextInput input_of(const hl_text& text);

/// A StopCheck that throws WorkStopped.
inline bool leave_if_stopped() {
  check_stopped();
  return false;
}

}  // namespace headlight
