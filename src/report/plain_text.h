// Numbers and widths in text for people.
#pragma once

#include <cstddef>
#include <string>

namespace headlight {

/// `value` as `format` of printf says.
std::string formatted(const char* format, double value);

/// "98.2 %" of 0.982.
std::string percent(double fraction);
/// Four decimals.
std::string decimal(double value);

/// Code points, which is near enough to columns.
std::size_t width_of(const std::string& text);

}  // namespace headlight
