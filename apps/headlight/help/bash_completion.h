// The completion script of bash.
#pragma once

#include <string>
#include <vector>

#include "help/command_page.h"

namespace headlight {

/// `commands` are those that help lists.
std::string bash_completion(const std::vector<CommandPage>& commands);

}  // namespace headlight
