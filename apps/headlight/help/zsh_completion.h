// The completion script of zsh.
#pragma once

#include <string>
#include <vector>

#include "help/command_page.h"

namespace headlight {

/// `commands` are those that help lists.
std::string zsh_completion(const std::vector<CommandPage>& commands);

}  // namespace headlight
