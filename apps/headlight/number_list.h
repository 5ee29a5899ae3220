// Lists of numbers as they are typed: 0,2-4.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// The numbers of `list`, each once and rising, of `count` things that are counted from 0. Throws
/// UsageError naming the option and how many of the `thing` there are.
std::vector<std::size_t> parse_numbers(const std::string& option, const std::string& thing,
                                       std::string_view list, std::size_t count);

}  // namespace headlight
