#include "options/choice.h"

#include <span>

namespace headlight {

std::string replaced(std::string_view text, const std::map<char, std::string>& replacements) {
  std::string result;
  for (const char c : text) {
    const auto found = replacements.find(c);
    result += found == replacements.end() ? std::string(1, c) : found->second;
  }
  return result;
}

std::string alternatives(const std::vector<std::string>& items) {
  if (items.size() < 2) return joined(items);
  return joined(std::span(items).first(items.size() - 1)) + " or " + items.back();
}

void limit_to(CLI::Option& option, const std::vector<std::string>& names,
              const std::string& preset) {
  const std::string end = preset.empty() ? "" : "; default: " + preset;
  option.description(option.get_description() + " (" + joined(names, ", ") + end + ")");
  option.type_name("TEXT");  // for the parser's own messages
  option.check(CLI::IsMember(names));
  declaration_of(option).choices = names;
  declaration_of(option).value = preset;
}

}  // namespace headlight
