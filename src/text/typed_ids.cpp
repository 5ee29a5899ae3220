#include "text/typed_ids.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/utf8.h"

namespace headlight {
namespace {

constexpr std::string_view kSeparators = " \t,";

struct Number {
  TokenId value;
  Offset offset;
};

std::vector<Number> read_numbers(std::string_view text) {
  std::vector<Number> numbers;
  std::size_t begin = text.find_first_not_of(kSeparators);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(kSeparators, begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    Number number{0, {begin, end}};
    const auto [stop, error] =
        std::from_chars(word.data(), word.data() + word.size(), number.value);
    if (error != std::errc() || stop != word.data() + word.size()) {
      throw TextError("found \"" + printable(word.substr(0, 40)) +
                      "\", expected token ids: whole numbers from 0 to " +
                      std::to_string(UINT32_MAX) + ", separated by spaces or commas");
    }
    numbers.push_back(number);
    begin = text.find_first_not_of(kSeparators, end);
  }
  return numbers;
}

}  // namespace

TypedIds parse_typed_ids(std::string_view text, const std::optional<std::string>& type_ids) {
  const auto ids = read_numbers(text);
  const auto types = type_ids ? read_numbers(*type_ids) : std::vector<Number>(ids.size());
  if (types.size() != ids.size()) {
    throw TextError("has " + std::to_string(ids.size()) + " token ids, but " +
                    std::to_string(types.size()) + " type ids");
  }
  TypedIds typed;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    typed.ids.push_back(ids[i].value);
    typed.type_ids.push_back(types[i].value);
    typed.offsets.push_back(ids[i].offset);
  }
  return typed;
}

}  // namespace headlight
