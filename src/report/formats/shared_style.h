// The look that all pages share. The build generates it from style.css (style.cmake).
#pragma once

#include <string_view>

namespace headlight {

/// CSS: colours in light and dark mode, letters, panels.
extern const std::string_view kSharedStyle;

}  // namespace headlight
