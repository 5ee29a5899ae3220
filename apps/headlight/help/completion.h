// The completion scripts of the shells.
#pragma once

#include <string>
#include <vector>

#include "help/command_page.h"

namespace headlight {

/// `pages` are all_pages().
std::string bash_completion(const std::vector<CommandPage>& pages);
std::string zsh_completion(const std::vector<CommandPage>& pages);
std::string fish_completion(const std::vector<CommandPage>& pages);

}  // namespace headlight
