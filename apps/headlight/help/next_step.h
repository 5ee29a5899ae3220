// The next command to try, shown after a command that makes something.
#pragma once

#include <string>

#include "options/options.h"

namespace headlight {

/// `text` as one word of a POSIX shell, in quotes only if it needs them.
std::string shell_word(const std::string& text);

/// A path as one word that is neither an option nor a bare name: "bank" becomes "./bank".
std::string shell_path(const std::string& path);

/// Writes "try: COMMAND" to standard error, unless --quiet was given or a path in it cannot be
/// printed as it is.
void say_next(const Console& console, const std::string& command);

/// The next step for a page that was written to `path`.
void say_page(const Console& console, const std::string& path);

/// The same for the file of -o, if it is a page.
void say_page(const Console& console, const OutputOptions& output);

}  // namespace headlight
