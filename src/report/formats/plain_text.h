// Numbers and widths in text for people.
#pragma once

#include <cstddef>
#include <string>

namespace headlight {

/// `value` as `format` of printf says.
std::string formatted(const char* format, double value);

/// "98.2 %" of 0.982.
std::string percent(double fraction);
/// "84.0–87.0 %" for 0.84 and 0.87.
std::string percent_range(double low, double high);
/// Four decimals.
std::string decimal(double value);

/// With so many decimals.
std::string fixed(double value, unsigned decimals);

/// The columns that a terminal takes for it (text/unicode/columns.h). Valid UTF-8.
std::size_t width_of(const std::string& text);
/// Its beginning, in at most `columns` columns, with … where something is left out.
std::string cut_to(const std::string& text, std::size_t columns);
/// `text`, in bold on a terminal that may be coloured.
std::string bold(const std::string& text, bool color);

/// A name of somebody else's, where there is little room: harmless and not long.
std::string shown_name(const std::string& name);
/// `text` and blanks up to `columns` columns; before it where it is to end in line.
std::string begin_in(const std::string& text, std::size_t columns);
std::string end_in(const std::string& text, std::size_t columns);

}  // namespace headlight
