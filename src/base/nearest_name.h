// Suggestions for mistyped names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// The known name that `name` may be a mistyped form of, or empty. At most a third of the letters
/// differ, or one of the two begins with the other. Leading dashes and the case of ASCII letters do
/// not count.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// "did you mean NAME?", or empty if no known name is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace headlight
