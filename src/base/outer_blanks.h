// Text without the blanks around it.
#pragma once

#include <algorithm>
#include <string_view>

namespace headlight {

/// `text` without blanks, tabs and line ends at both ends (ASCII).
inline std::string_view without_outer_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

}  // namespace headlight
