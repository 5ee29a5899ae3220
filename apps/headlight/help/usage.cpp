#include "help/usage.h"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "base/nearest_name.h"
#include "base/utf8.h"
#include "help/command_page.h"
#include "options/choice.h"

namespace headlight {
namespace {

struct RemovedOption {
  std::string_view command;
  std::string_view option;
  const char* reason;
};
constexpr std::array kRemovedOptions = {
    RemovedOption{"batch", "--sort",
                  "its rows were no better to label next than random ones (shuf)"},
    RemovedOption{"fit", "--check", "headlight check FILE -o OUT lists such rows"},
    RemovedOption{"attention", "--worth",
                  "evaluate --ablate heads --html FILE draws what heads are worth"}};

/// The commands that have this option.
std::vector<std::string> commands_with(const CLI::App& app, const std::string& option) {
  std::vector<std::string> commands;
  for (const auto* command : app.get_subcommands({})) {
    if (command->get_option_no_throw(option) != nullptr) commands.push_back(command->get_name());
  }
  return commands;
}

/// What the guide has for commands of fastText (apps/fasttext.md).
constexpr std::array<std::pair<std::string_view, const char*>, 9> kFasttextCommands = {
    {{"supervised", "fit train.txt --train static -o model"},
     {"quantize", "fit train.txt --train static --store int8 -o model"},
     {"test", "evaluate test.txt -m model.bin --at K"},
     {"test-label", "evaluate test.txt -m model.bin"},
     {"predict", "batch FILE -m model.bin --format fasttext -k K"},
     {"predict-prob", "batch FILE -m model.bin --format fasttext -k K --threshold P"},
     {"print-sentence-vectors", "embed FILE -m model.bin --format jsonl"},
     {"print-ngrams", "tokenize -m model.bin TEXT"},
     {"dump", "inspect -m model.bin"}}};

std::string unknown_option(const CLI::App& app, const CLI::App& command, const std::string& given) {
  const std::string option = given.substr(0, given.find('='));
  for (const RemovedOption& removed : kRemovedOptions) {
    if (command.get_name() != removed.command || option != removed.option) continue;
    return option + " was removed: " + removed.reason;
  }
  std::string line = "unknown option " + shortened(option);
  const auto others = commands_with(app, option);
  if (!others.empty()) {
    if (&command == &app) return line + " before the command; the options of a command follow it";
    return line + " of " + command.get_name() + "; " + joined(others, ", ") +
           (others.size() == 1 ? " has it" : " have it");
  }
  std::vector<std::string> known;
  for (const auto* candidate : command.get_options()) {
    for (const auto& name : candidate->get_lnames()) known.push_back("--" + name);
  }
  const std::string near = option.starts_with("--") ? did_you_mean(option, known) : "";
  if (!near.empty()) line += "; " + near;
  return line + " (put -- before a text that begins with -)";
}

}  // namespace

std::string unknown_command(const CLI::App& app, const std::string& name) {
  for (const auto& [theirs, ours] : kFasttextCommands) {
    if (name == theirs) return name + " is a command of fastText; here: headlight " + ours;
  }
  std::vector<std::string> commands;
  for (const auto* command : listed_commands(app)) commands.push_back(command->get_name());
  const std::string line = "unknown command \"" + shortened(name) + "\"";
  const std::string near = did_you_mean(name, commands);
  if (!near.empty()) return line + "; " + near;
  if (name.find(' ') != std::string::npos) return line + "; did you mean headlight classify TEXT?";
  return line + ", expected one of " + joined(commands, ", ");
}

std::string unknown_argument(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  const auto before = app.remaining(/*recurse=*/false);
  if (chosen.empty() || !before.empty()) {
    const std::string first = before.empty() ? "" : before.front();
    return first.starts_with("-") ? unknown_option(app, app, first) : unknown_command(app, first);
  }
  const auto unused = chosen.front()->remaining(/*recurse=*/true);
  const std::string first = unused.empty() ? "" : unused.front();
  if (first.starts_with("-")) return unknown_option(app, *chosen.front(), first);
  return "unexpected argument \"" + shortened(first) + "\"";
}

}  // namespace headlight
