// Suggestions for mistyped names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// The known name with the smallest edit distance to `name`; empty if `known` is empty.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace headlight
