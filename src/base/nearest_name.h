// Names that were mistyped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// The known name that `name` was most likely meant to be; empty where nothing is known.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace headlight
