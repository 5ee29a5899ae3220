// Options as C passes them: structs of any version up to ours, words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/utf8.h"
#include "base/words.h"
#include "classifier/classifier.h"
#include "inside/explanation.h"
#include "library/calls.h"

namespace headlight {

/// Whether a struct of `size` bytes ends with a field of the struct at `start`, or before one.
template <typename... Field>
bool ends_with_a_field(std::size_t size, const void* start, const Field&... fields) {
  const auto is_edge = [&](const auto& field) {
    const auto begin = static_cast<std::size_t>(reinterpret_cast<const char*>(&field) -
                                                static_cast<const char*>(start));
    return size == begin || size == begin + sizeof(field);  // NOLINT(bugprone-sizeof-expression)
  };
  return (is_edge(fields) || ...);
}
inline bool is_whole(const hl_engine_options& options, std::size_t size) {
  const auto& [own, threads, precision] = options;
  return ends_with_a_field(size, &options, own, threads, precision);
}
inline bool is_whole(const hl_run_options& options, std::size_t size) {
  const auto& [own, tokens, long_texts, plain, method, seed, heads, count, among, labels, unknown,
               best] = options;
  return ends_with_a_field(size, &options, own, tokens, long_texts, plain, method, seed, heads,
                           count, among, labels, unknown, best);
}

inline bool is_whole(const hl_fit_options& options, std::size_t size) {
  const auto& [own, train, start, minutes, share, texts, labels, n, weights, seed, overwrite,
               progress, user] = options;
  return ends_with_a_field(size, &options, own, train, start, minutes, share, texts, labels, n,
                           weights, seed, overwrite, progress, user);
}

/// Copies what the caller's struct has, which may be that of an earlier version, over the defaults.
/// Throws ArgumentError if it was not filled, is of a later version, or ends inside a field.
template <typename Options>
void take_options(const Options* given, Options& options) {
  if (given == nullptr) return;
  const std::size_t size = given->struct_size;
  // Where pointers have 32 bits, the whole struct may end in padding.
  const bool is_known = size == sizeof(Options) || is_whole(options, size);
  if (size < sizeof(std::size_t) || size > sizeof(Options) || !is_known) {
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
  /// `reading` of a call that takes `among`.
  ClassifierOptions reading_among() const;

  std::optional<ExplanationMethod> method;
  std::uint64_t seed = 0;
  std::vector<std::string> among;
  std::uint32_t* unknown = nullptr;
  hl_best* best = nullptr;
};

/// `count` different labels. Throws ArgumentError that names the argument.
std::vector<std::string> different_labels(const char* argument, const char* const* labels,
                                          std::size_t count);

/// Throws ArgumentError for a pair, of a task that takes single texts.
inline void refuse_pair(const hl_text& text, const std::string& what, const std::string& task) {
  if (text.pair != nullptr) {
    throw ArgumentError(what + " is a pair, but " + task + " takes single texts");
  }
}

/// The characters of a text or its pair. Throws ArgumentError if there are none.
TextInput input_of(const hl_text& text);

/// A StopCheck that throws WorkStopped.
inline bool leave_if_stopped() {
  check_stopped();
  return false;
}

}  // namespace headlight
