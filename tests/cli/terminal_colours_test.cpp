// Pictures in a terminal: how many colours, and from which background.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::terminal_colours_test {
namespace {

const std::string kQuestion = "\x1b]11;?\x1b\\";
const std::vector<std::string> kPicture = {"attention", "-m", "toy", "--heads", "0", "good bad"};

// The strongest colour, which ends the legend of a picture.
const std::string kDark = "48;2;90;175;255;";
const std::string kLight = "48;2;0;64;176;";
const std::string kDarkOf256 = "48;5;153;";
const std::string kLightOf256 = "48;5;18;";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool can_make_terminals() {
  return ::access("/dev/ptmx", R_OK | W_OK) == 0 && ::access("/dev/pts", R_OK) == 0 &&
         !std::filesystem::is_empty("/dev/pts");
}

Command on_terminal(const ToyPlace& place, std::vector<std::string> environment) {
  Command command = place.command(kPicture);
  command.own_terminal = true;
  command.environment = std::move(environment);
  return command;
}

const std::vector<std::string> kTruecolour = {"TERM=xterm-256color", "COLORTERM=truecolor"};

/// A shell whose first child is the program; `then` runs after it in the same terminal.
Command in_shell(const ToyPlace& place, const std::string& before, const std::string& then) {
  Command command = on_terminal(place, kTruecolour);
  command.program = "/bin/sh";
  std::string line = before + " \"$0\"";
  for (const std::string& argument : kPicture) line += " '" + argument + "'";
  command.arguments = {"-c", line + "; " + then, HEADLIGHT_PROGRAM};
  command.environment.emplace_back("PATH=/usr/bin:/bin");
  return command;
}

/// What the picture looks like if the terminal answers with `answer`. Asked again where a busy
/// computer took longer than 50 ms for it.
std::string answered(const ToyPlace& place, const std::string& answer, const std::string& expected,
                     const std::vector<std::string>& environment) {
  constexpr int kAttempts = 8;
  std::string shown;
  for (int i = 0; i < kAttempts && !has(shown, expected); ++i) {
    Process process(on_terminal(place, environment));
    REQUIRE(process.shows(kQuestion));
    process.write(answer);
    const Outcome outcome = process.wait();
    check_sane(outcome);
    CHECK(outcome.status == 0);
    shown = outcome.out;
  }
  return shown;
}

TEST_CASE("a scale begins at the background that the terminal says") {
  if (!can_make_terminals()) return;
  struct Row {
    std::string answer;
    std::string strongest;
    std::string weakest;  // an eighth of the scale
  };
  const Row rows[] = {
      {"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\", kDark, "48;2;38;48;58;"},
      {"\x1b]11;rgb:ffff/ffff/dddd\a", kLight, "48;2;223;231;215;"},
      {"\x1b]11;rgb:ff/ff/dd\x1b\\", kLight, "48;2;223;231;215;"},
      {"\x1b]11;rgba:0000/0000/0000/ffff\x1b\\", kDark, "48;2;11;22;32;"},
  };
  const ToyPlace place;
  for (const auto& [answer, strongest, weakest] : rows) {
    INFO(answer.substr(1));
    const std::string shown = answered(place, answer, weakest, kTruecolour);
    CHECK(has(shown, strongest));
    CHECK(has(shown, weakest));
    CHECK_FALSE(has(shown, "rgb"));  // the answer is not echoed
  }
  const std::string few =
      answered(place, "\x1b]11;rgb:ffff/ffff/ffff\a", kLightOf256, {"TERM=xterm-256color"});
  CHECK(has(few, kLightOf256));
  CHECK_FALSE(has(few, "48;2;"));
}

TEST_CASE("a terminal that does not answer, or late, or nonsense, delays a picture by 50 ms") {
  if (!can_make_terminals()) return;
  struct Row {
    const char* environment;
    std::string strongest;
  };
  const Row rows[] = {{"COLORFGBG=0;15", kLight}, {"COLORFGBG=0;default;7", kLight},
                      {"COLORFGBG=15;0", kDark},  {"COLORFGBG=15;8", kDark},
                      {"COLORFGBG=light", kDark}, {"COLORFGBG=0;99", kDark},
                      {"COLORFGBG=0;15x", kDark}, {"X=", kDark}};
  const ToyPlace place;
  for (const auto& [variable, strongest] : rows) {
    INFO(variable);
    auto environment = kTruecolour;
    environment.emplace_back(variable);
    Process process(on_terminal(place, environment));
    const auto begin = std::chrono::steady_clock::now();
    REQUIRE(process.shows(kQuestion));
    REQUIRE(process.shows(strongest));
    const auto waited = std::chrono::steady_clock::now() - begin;
    CHECK(waited >= std::chrono::milliseconds(45));
    CHECK(waited < std::chrono::seconds(kSanitized ? 10 : 3));  // on a busy computer
    process.write("\x1b]11;rgb:ffff/ffff/ffff\a");              // late
    const Outcome outcome = process.wait();
    check_sane(outcome);
    CHECK(outcome.status == 0);
  }
  for (const std::string nonsense : {"\x1b]11;rgb:ffff/zz/ffff\a", "\x1b]11;white\a",
                                     "\x1b]11;rgb:fffff/ff/ff\a", "\x1b]11;rgb:ffff/ffff\a"}) {
    const std::string shown = answered(place, nonsense, kDark, kTruecolour);
    CHECK(has(shown, kDark));
  }
}

TEST_CASE("only the terminal that is drawn on is asked") {
  const ToyPlace place;
  auto always = kPicture;
  always.insert(always.end(), {"--color", "always"});
  Command piped = place.command(always);
  piped.environment = kTruecolour;
  const std::string shown = run(piped).out;
  CHECK(has(shown, kDark));
  CHECK_FALSE(has(shown, kQuestion));
  piped.environment = {"COLORFGBG=0;15", "COLORTERM=24bit"};
  CHECK(has(run(piped).out, kLight));
  piped.environment = {"COLORTERM=yes"};
  CHECK(has(run(piped).out, kDarkOf256));
  if (!can_make_terminals()) return;
  for (const char* variable : {"TERM=dumb", "TERM=linux", "TERM=", "NO_COLOR=1"}) {
    INFO(variable);
    const Outcome outcome = run(on_terminal(place, {variable, "TERM=xterm"}));
    CHECK(outcome.status == 0);
    CHECK_FALSE(has(outcome.out, "\x1b]11"));
  }
  Command file = on_terminal(place, kTruecolour);
  file.arguments.insert(file.arguments.end(), {"--color", "always", "-o", "picture"});
  CHECK_FALSE(has(run(file).out, kQuestion));
  // Standard output is another terminal than the one that controls the process, or is in no
  // session of it.
  Command foreign = place.command(kPicture);
  foreign.out = Channel::terminal;
  foreign.environment = kTruecolour;
  const std::string drawn = run(foreign).out;
  CHECK(has(drawn, kDark));
  CHECK_FALSE(has(drawn, kQuestion));
}

TEST_CASE("what was typed before a picture is read after it, and the terminal is not asked") {
  if (!can_make_terminals()) return;
  const ToyPlace place;
  Process process(in_shell(place, "read -r line; ", "read -r line; echo \"<$line>\""));
  REQUIRE(process.write("go\nls -l\n"));
  const Outcome outcome = process.wait();
  CHECK(has(outcome.out, kDark));
  CHECK(has(outcome.out, "<ls -l>"));
  CHECK_FALSE(has(outcome.out, kQuestion));
}

/// Whether bytes can be put back before a terminal's reader (Linux since 6.2: only by root).
bool can_give_back() {
  int allowed = 1;
  std::ifstream("/proc/sys/dev/tty/legacy_tiocsti") >> allowed;
  return allowed == 1 || ::geteuid() == 0;
}

TEST_CASE("what is typed while the terminal is asked is read afterwards") {
  if (!can_make_terminals() || !can_give_back()) {
    MESSAGE("nothing can be put back here");
    return;
  }
  const ToyPlace place;
  Process process(in_shell(place, "", "read -r line; echo \"<$line>\""));
  REQUIRE(process.shows(kQuestion));
  process.write("l\x1b]11;rgb:ffff/ffff/ffff\as");
  REQUIRE(process.shows("layer 0, head 0"));
  process.write(" -l\n");
  const Outcome outcome = process.wait();
  CHECK(has(outcome.out, "<ls -l>"));
}

TEST_CASE("the terminal is as before, also where it does not answer and Ctrl-C is pressed") {
  if (!can_make_terminals()) return;
  const ToyPlace place;
  for (const std::string typed : {"\x1b]11;rgb:ffff/ffff/ffff\a", "\x03", ""}) {
    Process process(in_shell(place, "trap 'true' INT;", "stty -a"));
    REQUIRE(process.shows(kQuestion));
    process.write(typed);
    const Outcome outcome = process.wait();
    INFO(outcome.out);
    CHECK(has(outcome.out, " icanon"));
    CHECK(has(outcome.out, " echo "));
    CHECK(has(outcome.out, "min = 1;"));
  }
}

}  // namespace
}  // namespace headlight::terminal_colours_test
