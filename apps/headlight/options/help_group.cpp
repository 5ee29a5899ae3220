#include "options/help_group.h"

namespace headlight {

HelpGroup::HelpGroup(CLI::App& command, const char* name)
    : command_(command), before_(command.option_defaults()->get_group()) {
  command_.option_defaults()->group(name);
}

HelpGroup::~HelpGroup() { command_.option_defaults()->group(before_); }

}  // namespace headlight
