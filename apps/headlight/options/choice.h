// Options that take one of a few words. Parsing, help and completions use the same table.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/utf8.h"
#include "base/words.h"
#include "options/declaration.h"

namespace headlight {

/// `text` with a text in place of some of its characters.
std::string replaced(std::string_view text, const std::map<char, std::string>& replacements);

/// "a, b or c"
std::string alternatives(const std::vector<std::string>& items);

/// A word that can be typed, and its meaning.
template <typename T>
using Choice = Word<T>;

/// Accepts only these words and adds them to the option's help. `preset` is the default; empty if
/// there is none.
void limit_to(CLI::Option& option, const std::vector<std::string>& names,
              const std::string& preset);

/// Sets `value` to the meaning of the typed word. The default is the initial `value`, if the table
/// has it. `value` must outlive the option. CLI::CheckedTransformer is not used because it also
/// accepts the number of an enumerator.
template <typename T>
CLI::Option* choice(CLI::Option* option, T& value,
                    const std::type_identity_t<std::vector<Choice<T>>>& table) {
  std::vector<std::string> names;
  std::string preset;
  for (const Choice<T>& known : table) {
    names.emplace_back(known.name);
    if (known.value == value) preset = known.name;
  }
  limit_to(*option, names, preset);
  return option->each([&value, table, &chosen = declaration_of(*option).value](const auto& typed) {
    for (const Choice<T>& known : table) {
      if (typed == known.name) value = known.value;
    }
    chosen = typed;
  });
}

/// The same with the table of an enum.
template <typename T, typename Enum, std::size_t Count>
CLI::Option* choice(CLI::Option* option, T& value, const std::array<Word<Enum>, Count>& words) {
  std::vector<Choice<T>> table;
  table.reserve(Count);
  for (const auto& [name, meaning] : words) table.push_back({name, meaning});
  return choice(option, value, table);
}

}  // namespace headlight
