// The fields of a JSON object from an untrusted file. Every error names the file and the field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/json_fwd.h"
#include "base/utf8.h"
#include "base/words.h"

namespace headlight {

/// Typed access to the fields of one object. Remembers the names that were requested.
///
///     Fields fields(json, "model/config.json");
///     const auto d = fields.required_size("hidden_size", 1);
///     fields.refuse_unknown();
///
/// Each getter throws Error{where, "hidden_size: found \"x\", expected a whole number ≥ 1"}.
/// The object must outlive this.
class Fields {
 public:
  /// `path` is the place of the object in the file ("tokenizer"), empty for the whole file.
  Fields(const Json& object, std::string where, std::string path = "");

  /// The field, or nullptr if it is absent.
  const Json* find(std::string_view name);
  /// The field, or nullptr if it is absent or null.
  const Json* find_value(std::string_view name);
  const Json& required(std::string_view name);

  std::size_t required_size(std::string_view name, std::size_t low,
                            std::size_t high = kLargestSize);
  std::size_t size_or(std::string_view name, std::size_t fallback, std::size_t low,
                      std::size_t high = kLargestSize);
  double number_or(std::string_view name, double fallback);
  bool flag_or(std::string_view name, bool fallback);
  std::string required_string(std::string_view name);
  std::string string_or(std::string_view name, const std::string& fallback);
  /// Returns `fallback` if the field is absent, nullopt if it is null.
  std::optional<std::string> nullable_string_or(std::string_view name,
                                                std::optional<std::string> fallback);
  std::vector<std::string> strings(std::string_view name);
  std::vector<std::size_t> sizes(std::string_view name, std::size_t low);

  /// The value of one of these words: choice_or("norm_order", NormOrder::post, kNormOrderWords)
  template <typename T>
  T choice_or(std::string_view name, T fallback,
              std::type_identity_t<std::span<const Word<T>>> words) {
    if (find(name) == nullptr) return fallback;
    const std::string found = required_string(name);
    for (const auto& [word, value] : words) {
      if (found == word) return value;
    }
    fail(name, "one of " + joined(words, ", ", &Word<T>::name));
  }
  template <typename T>
  T choice_or(std::string_view name, T fallback, std::initializer_list<Word<T>> words) {
    return choice_or(name, fallback, std::span(words.begin(), words.size()));
  }

  /// Throws Error for a name that was not requested and suggests the nearest requested one.
  void refuse_unknown() const;

  /// Throws Error: found the value of `name`, expected `expected`.
  [[noreturn]] void fail(std::string_view name, const std::string& expected) const;
  /// Throws Error with the caller's own message about `name`.
  [[noreturn]] void complain(std::string_view name, const std::string& what) const;

  const std::string& where() const { return where_; }
  std::string path_of(std::string_view name) const;

  /// Sizes stay far below 2^63, so that products of two of them can be checked.
  static constexpr std::size_t kLargestSize = std::numeric_limits<std::int32_t>::max();

 private:
  std::size_t to_size(std::string_view name, const Json& value, std::size_t low,
                      std::size_t high) const;

  const Json* object_;
  std::string where_;
  std::string path_;
  std::vector<std::string> asked_;
};

}  // namespace headlight
