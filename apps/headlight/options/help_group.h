// Groups and values of options in help, man pages and completions.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include <CLI/CLI.hpp>

namespace headlight {

/// In the order in which help shows them. kOtherGroup is the group of options without one.
inline constexpr const char* kOtherGroup = "Options";
inline constexpr const char* kOftenGroup = "Often used";
inline constexpr const char* kInputGroup = "Input";
inline constexpr const char* kModelGroup = "Model";
inline constexpr const char* kZeroShotGroup = "Zero-shot";
inline constexpr const char* kTrainingGroup = "Training";
inline constexpr const char* kResultGroup = "Result";
inline constexpr const char* kOutputGroup = "Output";
inline constexpr const char* kRunGroup = "Run";
inline constexpr const char* kRareGroup = "Rarely used";
inline constexpr std::array kHelpGroups = {
    kOtherGroup,    kOftenGroup,  kInputGroup,  kModelGroup, kZeroShotGroup,
    kTrainingGroup, kResultGroup, kOutputGroup, kRunGroup,   kRareGroup};

/// Options that are added to the command while this object lives belong to one group.
class HelpGroup {
 public:
  HelpGroup(CLI::App& command, const char* name)
      : command_(command), before_(command.option_defaults()->get_group()) {
    command.option_defaults()->group(name);
  }
  ~HelpGroup() { command_.option_defaults()->group(before_); }
  HelpGroup(const HelpGroup&) = delete;
  HelpGroup& operator=(const HelpGroup&) = delete;

 private:
  CLI::App& command_;
  std::string before_;
};

/// Adds an option with a value, which has a name in help: "-k,--top-k N".
template <typename T>
CLI::Option* add_value(CLI::App& command, const std::string& names, T& value,
                       const std::string& help) {
  const std::size_t blank = names.find(' ');
  return command.add_option(names.substr(0, blank), value, help)
      ->option_text(names.substr(blank + 1));
}

}  // namespace headlight
