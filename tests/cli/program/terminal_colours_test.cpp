// Pictures in a terminal: how many colours, and from which background.
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::terminal_colours_test {
namespace {

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

TEST_CASE("a scale begins at the background that COLORFGBG says, else at a dark one") {
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
    Command piped = place.command(kPicture);
    piped.arguments.insert(piped.arguments.end(), {"--color", "always"});
    piped.environment = kTruecolour;
    piped.environment.emplace_back(variable);
    CHECK(has(run(piped).out, strongest));
    if (!can_make_terminals()) continue;
    auto environment = kTruecolour;
    environment.emplace_back(variable);
    const Outcome outcome = run(on_terminal(place, environment));
    check_sane(outcome);
    CHECK(outcome.status == 0);
    CHECK(has(outcome.out, strongest));
  }
}

TEST_CASE("COLORTERM says how many colours there are") {
  const ToyPlace place;
  Command piped = place.command(kPicture);
  piped.arguments.insert(piped.arguments.end(), {"--color", "always"});
  piped.environment = {"COLORFGBG=0;15", "COLORTERM=24bit"};
  CHECK(has(run(piped).out, kLight));
  piped.environment = {"COLORTERM=yes"};
  CHECK(has(run(piped).out, kDarkOf256));
  piped.environment = {"COLORFGBG=0;15"};
  CHECK(has(run(piped).out, kLightOf256));
  CHECK_FALSE(has(run(piped).out, "48;2;"));
}

TEST_CASE("a terminal is asked for nothing") {
  if (!can_make_terminals()) return;
  const ToyPlace place;
  for (const char* variable : {"TERM=xterm-256color", "TERM=dumb", "TERM=", "NO_COLOR=1"}) {
    INFO(variable);
    const Outcome outcome = run(on_terminal(place, {variable, "COLORTERM=truecolor"}));
    CHECK(outcome.status == 0);
    CHECK_FALSE(has(outcome.out, "\x1b]11"));
  }
}

}  // namespace
}  // namespace headlight::terminal_colours_test
