// The completion scripts without what is made from the command line. The build generates them from
// help/shells (scripts.cmake).
#pragma once

#include <string_view>

namespace headlight {

/// @NAMES@, @CASES@
extern const std::string_view kBashScript;
/// @COMMANDS@, @OPTIONS@, @CASES@
extern const std::string_view kZshScript;
/// @LINES@
extern const std::string_view kFishScript;

}  // namespace headlight
