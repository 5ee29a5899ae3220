// The completion script of fish.
#pragma once

#include <string>
#include <vector>

#include "help/command_page.h"

namespace headlight {

/// `commands` are those that help lists.
std::string fish_completion(const std::vector<CommandPage>& commands);

}  // namespace headlight
