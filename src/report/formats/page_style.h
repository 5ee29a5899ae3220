// The look of pages without scripts. The build generates it from style.css and page.css
// (style.cmake).
#pragma once

#include <string_view>

namespace headlight {

/// CSS: colours in light and dark mode, letters, panels.
extern const std::string_view kPageStyle;

}  // namespace headlight
