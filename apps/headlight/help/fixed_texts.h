// The parts of completion scripts and of the manual page that are not made from the command line,
// and the list of tasks.
// The build generates them from help/texts (texts.cmake).
#pragma once

#include <string_view>

namespace headlight {

/// With the marks @NAMES@ and @CASES@.
extern const std::string_view kBashScript;
/// With @COMMANDS@, @OPTIONS@ and @CASES@.
extern const std::string_view kZshScript;
/// With @LINES@.
extern const std::string_view kFishScript;
/// Exit statuses and the environment, in the format of man(7).
extern const std::string_view kManualPageEnd;
/// Of `headlight help tasks`.
extern const std::string_view kTasks;

}  // namespace headlight
