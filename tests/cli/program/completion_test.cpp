// Completion scripts and manual pages list what --help lists: no option is missing, none too many.
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "cli/help_page.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::completion_test {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

std::string output_of(const std::vector<std::string>& arguments) {
  Command command;
  command.arguments = arguments;
  const Outcome outcome = run(command);
  check_sane(outcome);
  CHECK(outcome.status == 0);
  return outcome.out;
}

/// With the program in PATH.
std::vector<std::string> environment_in(const ToyPlace& place) {
  return {"PATH=" + fs::path(HEADLIGHT_PROGRAM).parent_path().string() + ":/usr/bin:/bin",
          "HOME=" + place.files().path(), "HEADLIGHT_MODELS=" + (place.files() / "models"),
          "TERM=dumb", "LANG=C.UTF-8"};
}

/// Long and short names of the options of a command.
Names names_in_help(const std::string& command) {
  Names names;
  for (const HelpOption& option : help_page_of(command).options) {
    names.insert(option.name);
    if (!option.short_name.empty()) names.insert(option.short_name);
  }
  return names;
}

/// All matches of the first group.
Names matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  Names found;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end;
       ++match) {
    found.insert((*match)[1].str());
  }
  return found;
}

/// What is between the line `begin` and the next line `end`.
std::string block(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find("\n" + begin + "\n");
  if (from == std::string::npos) return "";
  return text.substr(from, text.find("\n" + end + "\n", from) - from);
}

TEST_CASE("the bash script has the options of each command and no others") {
  const std::string script = output_of({"completion", "bash"});
  for (const std::string& command : listed_commands()) {
    CAPTURE(command);
    const std::string part = block(script, "    " + command + ")", "      ;;");
    const std::string words = *matches(part, "_headlight_words \"(-[^\"]*)\"").begin();
    CHECK(matches(words + " ", "(-[a-z-]+) ") == names_in_help(command));
  }
}

TEST_CASE("the zsh script has the options of each command and no others") {
  const std::string script = output_of({"completion", "zsh"});
  for (const std::string& command : listed_commands()) {
    CAPTURE(command);
    std::string part = block(script, "        " + command + ")", "          ;;");
    Names names = matches(part, "\\n            (?:'\\*')?(--[a-z-]+)'\\[");
    for (const char* group : {"\\{(-[a-zA-Z]),--[a-z-]+\\}", "\\{-[a-zA-Z],(--[a-z-]+)\\}"}) {
      names.merge(matches(part, group));
    }
    CHECK(names == names_in_help(command));
  }
}

TEST_CASE("the fish script has the options of each command and no others") {
  const std::string script = output_of({"completion", "fish"});
  for (const std::string& command : listed_commands()) {
    CAPTURE(command);
    std::string part;
    for (const std::string& line : lines_of(script)) {
      if (line.find("'__headlight_runs " + command + "'") != std::string::npos) part += line + '\n';
    }
    Names names;
    for (const std::string& name : matches(part, " -l ([a-z-]+)")) names.insert("--" + name);
    for (const std::string& name : matches(part, "' -s ([a-zA-Z]) -l")) names.insert("-" + name);
    CHECK(names == names_in_help(command));
  }
}

TEST_CASE("each listed command has a manual page with its options and no others") {
  const ToyPlace place;
  output_of({"pages", place.files() / "share"});
  std::vector<std::string> commands = listed_commands();
  const fs::path pages = place.files() / "share/man/man1";
  CHECK(std::distance(fs::directory_iterator(pages), {}) ==
        static_cast<std::ptrdiff_t>(commands.size() + 1));
  commands.emplace_back("");
  for (const std::string& command : commands) {
    CAPTURE(command);
    const std::string name = command.empty() ? "headlight" : "headlight-" + command;
    const std::string page = place.files().read("share/man/man1/" + name + ".1");
    const std::string plain = std::regex_replace(page, std::regex("\\\\-"), "-");
    CHECK(plain.starts_with(".TH " + name + " 1 "));
    const std::string terms = "\\n\\.TP\\n(?:\\\\fB-[a-zA-Z]\\\\fR, )?\\\\fB(--[a-z-]+)\\\\fR";
    Names names = matches(plain, terms);
    names.merge(matches(plain, "\\n\\.TP\\n\\\\fB(-[a-zA-Z])\\\\fR, "));
    CHECK(names == names_in_help(command));
  }
  for (const char* script :
       {"bash-completion/completions/headlight", "zsh/site-functions/_headlight",
        "fish/vendor_completions.d/headlight.fish"}) {
    CHECK(place.files().has(std::string("share/") + script));
  }
}

struct Completed {
  std::string line;  // the last word is completed
  Names words;       // of the answer
};

TEST_CASE("bash completes commands, options, values, models and files") {
  const ToyPlace place;
  place.files().write("rows of mine.csv", "");
  place.files().write("script", output_of({"completion", "bash"}));
  const std::vector<Completed> lines = {
      {"headlight cla", {"classify"}},
      {"headlight --vers", {"--version"}},
      {"headlight classify --fo", {"--format", "--force"}},
      {"headlight classify --format j", {"json", "jsonl"}},
      {"headlight classify --format = cs", {"csv"}},
      {"headlight batch --long ''", {"truncate", "error", "window"}},
      {"headlight explain --long ''", {"truncate", "error"}},
      {"headlight classify -m sentiment-", {"sentiment-stream"}},
      {"headlight classify --model t", {"toy"}},
      {"headlight batch rows", {"rows.txt", "rows of mine.csv"}},
      {"headlight batch -o p", {"plain"}},
      {"headlight init -o ''", {"toy"}},
      {"headlight help ex", {"explain", "export"}},
      {"headlight completion ''", {"bash", "zsh", "fish"}},
      {"headlight classify --top-k ''", {}},
      {"headlight classify --pair ''", {}},
      {"headlight classify -- --fo", {}},
      {"headlight models ''", {}},
  };
  for (const Completed& row : lines) {
    CAPTURE(row.line);
    Command command;
    command.program = "/bin/bash";
    command.directory = place.files().path();
    command.environment = environment_in(place);
    command.arguments = {"-c", "source ./script\nCOMP_WORDS=(" + row.line +
                                   ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_headlight\n"
                                   "printf '%s\\n' \"${COMPREPLY[@]}\""};
    const Outcome outcome = run(command);
    CHECK(outcome.err == "");
    Names words;
    for (const std::string& word : lines_of(outcome.out)) {
      if (!word.empty()) words.insert(word);
    }
    CHECK(words == row.words);
  }
}

struct TypedName {
  std::string typed;   // before TAB and Enter
  std::string name;    // of the model that the command then gets
  std::string shells;  // that offer it
};

// fish reads what is behind a tab as a description, and a word that begins with a dash as an
// option; bash leaves open quotes alone.
const std::vector<TypedName> kTypedNames = {
    {"\\$", "$(touch pwned)", "bash zsh fish"},
    {"\\`", "`touch pwned`", "bash zsh fish"},
    {"\\;", ";touch pwned", "bash zsh fish"},
    {"k", "k$(touch pwned)", "bash zsh fish"},
    {"\"k", "k$(touch pwned)", "zsh fish"},
    {"'g", "g'h`touch pwned`", "zsh fish"},
    {"g", "g'h`touch pwned`", "bash zsh fish"},
    {"\\'", "'q", "bash zsh fish"},
    {"\\\"", "\"d", "bash zsh fish"},
    {"b", "b lank", "bash zsh fish"},
    {"b\\ l", "b lank", "bash zsh fish"},
    {"n", "n\nl $(touch pwned)", "bash zsh fish"},
    {"w", "w\tx", "bash zsh"},
    {"\\*", "*", "bash zsh fish"},
    {"\\[", "[x]", "bash zsh fish"},
    {"-", "-dash", "bash zsh"},
    {"c", "c:o=lon", "bash zsh fish"},
    {"m", "m\\x", "bash zsh fish"},
    {"\\~", "~root", "bash zsh fish"},
    {"\\{", "{a,b}", "bash zsh fish"},
    {"\\!", "!!", "bash zsh fish"},
    {"h", "h\x1b[31m#", "bash zsh fish"},
    {"%", "%s%n", "bash zsh"},
};

struct Shell {
  std::string name;
  std::vector<std::string> arguments;
  std::string reporter;  // writes down the name that headlight gets behind -m, and counts
};

const std::string kReporter =
    R"(headlight() {
  if [[ $1 == models ]]; then command headlight "$@"; else
    printf %s "$3" >$HOME/got; count=$((count + 1)); echo "<$count>"; fi
}
)";

const std::vector<Shell> kShells = {
    {"bash", {"--noprofile", "--norc", "-i"}, kReporter},
    {"zsh", {"-f", "-i"}, "autoload -U compinit; compinit -u -D\n" + kReporter},
    {"fish", {"--no-config", "-i"}, R"(function headlight
  if test $argv[1] = models; command headlight $argv; else
    printf %s $argv[3] >$HOME/got; set -g count (math "0$count" + 1); echo "<$count>"; end
end
)"},
};

TEST_CASE("a model's name that TAB completes is data in each shell, whatever it holds") {
  const ToyPlace place;
  fs::create_directories(place.files() / "models");
  for (const auto& row : kTypedNames) {
    const fs::path link = fs::path(place.files() / "models") / row.name;
    if (!fs::is_symlink(link)) fs::create_directory_symlink(place.files() / "toy", link);
  }
  for (const Shell& shell : kShells) {
    CAPTURE(shell.name);
    if (!fs::exists("/usr/bin/" + shell.name) || ::access("/dev/ptmx", R_OK | W_OK) != 0) {
      MESSAGE("not tried without a terminal and the shell; scripts/install --browser installs it");
      continue;
    }
    place.files().write("rc", shell.reporter + output_of({"completion", shell.name}));
    fs::create_directories(place.files() / "empty");
    Command command;
    command.program = "/bin/sh";
    command.arguments = {"-c", "exec \"$@\" 2>&1", "sh", shell.name};
    command.arguments.insert(command.arguments.end(), shell.arguments.begin(),
                             shell.arguments.end());
    command.directory = place.files() / "empty";
    command.environment = environment_in(place);
    command.own_terminal = true;
    Process process(command);
    process.write("source $HOME/rc\r");
    int count = 0;
    for (const auto& row : kTypedNames) {
      if (row.shells.find(shell.name) == std::string::npos) continue;
      CAPTURE(row.typed);
      process.write("headlight classify -m " + row.typed + "\t\r");
      REQUIRE(process.shows("<" + std::to_string(++count) + ">"));
      CHECK(place.files().read("got") == row.name);
    }
    CHECK(fs::is_empty(place.files() / "empty"));
  }
}

}  // namespace
}  // namespace headlight::completion_test
