// Reading JSON that strangers wrote: every complaint names the file and the place. fields.h reads
// the fields of an object, json_writer.h writes JSON.
//
// The rules of all our readers: UTF-8, at most kMaxJsonDepth levels, no name twice in one object,
// nothing after the value. Numbers keep what 64-bit integers and doubles keep.
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

/// A value as an error message shows it: short, on one line.
std::string excerpt(const Json& value);

}  // namespace headlight
