// Reads JSON from untrusted files. Every error names the file and the place. fields.h reads the
// fields of an object, json_writer.h writes JSON.
//
// Rules of all our readers: UTF-8, at most kMaxJsonDepth levels, no duplicate names in an object,
// nothing after the value. Numbers have the precision of 64-bit integers and doubles.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/json_fwd.h"

namespace headlight {

inline constexpr std::size_t kMaxJsonDepth = 64;

/// Parses `text`. Throws Error{where, "line 3, column 7: …"}.
Json parse_json(std::string_view text, const std::string& where);

/// Reads and parses a file; `where` in errors is its path.
Json read_json_file(const std::string& path);

/// A value for an error message: short, on one line.
std::string excerpt(const Json& value);

}  // namespace headlight
