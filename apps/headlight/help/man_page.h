// Manual pages in the format of man(7).
#pragma once

#include <string>
#include <vector>

#include "help/command_page.h"

namespace headlight {

/// "headlight.1", or "headlight-classify.1" of a command.
std::string man_page_name(const CommandPage& page);

/// The page of the program or of a command. `commands` are those that help lists.
std::string man_page(const CommandPage& page, const std::vector<CommandPage>& commands);

}  // namespace headlight
