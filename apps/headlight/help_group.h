// Groups of options in help, man pages and completions.
#pragma once

#include <array>
#include <string>

#include <CLI/CLI.hpp>

namespace headlight {

/// In the order in which help shows them. kOtherGroup is the group of options without one.
inline constexpr const char* kOtherGroup = "Options";
inline constexpr const char* kInputGroup = "Input";
inline constexpr const char* kModelGroup = "Model";
inline constexpr const char* kZeroShotGroup = "Zero-shot";
inline constexpr const char* kTrainingGroup = "Training";
inline constexpr const char* kResultGroup = "Result";
inline constexpr const char* kOutputGroup = "Output";
inline constexpr const char* kRunGroup = "Run";
inline constexpr const char* kRareGroup = "Rarely used";
inline constexpr std::array kHelpGroups = {kOtherGroup,    kInputGroup,    kModelGroup,
                                           kZeroShotGroup, kTrainingGroup, kResultGroup,
                                           kOutputGroup,   kRunGroup,      kRareGroup};

/// Options that are added to the command while this object lives belong to one group.
class HelpGroup {
 public:
  HelpGroup(CLI::App& command, const char* name);
  ~HelpGroup();
  HelpGroup(const HelpGroup&) = delete;
  HelpGroup& operator=(const HelpGroup&) = delete;

 private:
  CLI::App& command_;
  std::string before_;
};

}  // namespace headlight
