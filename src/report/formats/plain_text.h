// Numbers and column widths in human-readable text.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"

namespace headlight {

/// Between the two texts of a pair.
inline constexpr const char* kPairArrow = " ⟶ ";

/// "98.2 %" of 0.982.
std::string percent(double fraction);
/// "84.0–87.0 %" for 0.84 and 0.87.
std::string percent_range(double low, double high);
/// Four decimals.
std::string decimal(double value);

/// With this number of decimals.
std::string fixed(double value, unsigned decimals);

/// 7834370 → "7,834,370"
std::string grouped(std::size_t number);

/// The width in terminal columns (text/unicode/columns.h). `text` must be valid UTF-8.
std::size_t width_of(const std::string& text);
/// Shortens `text` to at most `columns` columns, at least 3. … marks the cut, which is in the
/// middle, because long names of one list often begin alike.
std::string cut_to(const std::string& text, std::size_t columns);
/// `text` in lines of at most `columns` columns, unless a word is longer, indented by `indent`.
std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent);
/// `text`, in bold if `color`.
std::string bold(const std::string& text, bool color);

/// A foreign name for display: control characters escaped, and shortened.
std::string shown_name(const std::string& name);
/// The same for the names of one list, in at most `columns` columns or as many as it takes to tell
/// different names apart.
std::vector<std::string> shown_names(const std::vector<std::string>& names,
                                     std::size_t columns = 24);
/// Pads `text` with blanks to `columns` columns: left-aligned (begin_in) or right-aligned (end_in).
std::string begin_in(const std::string& text, std::size_t columns);
std::string end_in(const std::string& text, std::size_t columns);

/// Names and what is said of each.
using Facts = std::vector<std::pair<std::string, std::string>>;
/// One line per fact, with the names in `columns` columns.
std::string facts_text(const Facts& facts, std::size_t columns = 24);

}  // namespace headlight
