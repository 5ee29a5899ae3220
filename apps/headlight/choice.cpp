#include "choice.h"

namespace headlight {

void limit_to(CLI::Option& option, const std::vector<std::string>& names,
              const std::string& preset) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  const std::string end = preset.empty() ? "" : "; default: " + preset;
  option.description(option.get_description() + " (" + list + end + ")");
  option.type_name("TEXT");  // for the parser's own messages
  option.check(CLI::IsMember(names), kChoices);
}

}  // namespace headlight
