#include "command_line.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "base/build.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "base/interrupt.h"
#include "base/output.h"
#include "base/unfinished_file.h"
#include "commands/command.h"
#include "help/command_page.h"
#include "help/help_formatter.h"
#include "help/next_step.h"
#include "help/usage.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/options.h"
#include "options/provenance.h"
#include "report/formats/plain_text.h"

namespace headlight {
namespace {

struct Command {
  const char* name;
  void (*add)(CLI::App& app, Runner& runner);
};

#define HEADLIGHT_COMMAND(NAME) Command{#NAME, add_##NAME},
constexpr std::array kCommands = {HEADLIGHT_COMMANDS(HEADLIGHT_COMMAND)};
#undef HEADLIGHT_COMMAND

/// The commands that show the options of all commands.
constexpr std::array<std::string_view, 3> kOverviews = {"completion", "pages", "help"};

/// The command that the command line begins with, if it needs no other; else nullptr. To declare
/// the options of all commands takes longer than to score a text with a small model.
const Command* lone_command(int argc, char** argv) {
  const std::string_view first = argc < 2 ? "" : argv[1];
  if (std::ranges::count(kOverviews, first) > 0) return nullptr;
  const auto* const found = std::ranges::find(kCommands, first, &Command::name);
  return found == kCommands.end() ? nullptr : found;
}

/// Adds all commands but `present`, which may be nullptr.
void add_commands_but(const Command* present, CLI::App& app, Runner& runner) {
  for (const Command& command : kCommands) {
    if (&command != present) command.add(app, runner);
  }
}

std::string short_help(const CLI::App& app) {
  std::vector<std::string> commands;
  for (const CLI::App* command : listed_commands(app)) commands.push_back(command->get_name());
  const auto paragraph = [](const std::string& text) { return wrapped(text, help_columns(), 0); };
  return paragraph(
             "headlight classifies text with transformer encoders and shows what each head attends "
             "to.") +
         "\n" + paragraph("Commands: " + joined(commands, ", ") + ".") +
         "\nThree things to do:\n"
         "  headlight classify \"a gorgeous, witty, seductive movie\"\n"
         "  headlight attention -o page.html \"not bad at all\"\n"
         "  headlight help tasks      (help COMMAND: how it is used)\n";
}

/// For commands that have nothing to save when they are interrupted.
void end_at_once(int signal_number) {
  remove_unfinished_files();
  ::_exit(kSignalBase + signal_number);
}

/// A mapped file was truncated, or its disk failed. Only functions for signal handlers are used.
void end_at_lost_page(int /*signal_number*/, siginfo_t* info, void* /*context*/) {
  remove_unfinished_files();
  static std::array<char, 4096> line;
  std::size_t size = 0;
  const auto add = [&](const char* text) {
    for (; *text != '\0' && size + 1 < line.size(); ++text) {
      const bool control = static_cast<unsigned char>(*text) < ' ' || *text == '\x7F';
      line[size++] = control ? '?' : *text;
    }
  };
  const char* path = mapped_path_at(info->si_addr);
  add("headlight: ");
  add(path == nullptr ? "a file" : path);
  add(": was truncated while it was in use, or its disk failed");
  line[size++] = '\n';
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), size);
  ::_exit(kUnusable);
}

/// What to say of an exception that is not ours; oneTBB throws the one about threads.
std::string reason_of(const std::exception& error) {
  std::string what = error.what();
  if (what.find("pthread_create") == std::string::npos) return what;
  return "the system refuses another thread (" + what + "); --threads 1 needs no other";
}

/// Says what went wrong and returns the exit status.
int report(const std::exception_ptr& failure) {
  try {
    failure ? std::rethrow_exception(failure) : complain("an internal error");
  } catch (const ClosedPipe&) {
    const int signal = caught_signal();
    return signal == 0 ? kSuccess : kSignalBase + signal;
  } catch (const TextError& error) {
    complain("text: " + error.line());
    return kTextErrors;
  } catch (const Error& error) {
    complain(error.line());
  } catch (const std::bad_alloc&) {
    complain("not enough memory");
  } catch (const std::exception& error) {
    complain(reason_of(error));
  } catch (...) {
    complain("an internal error");
  }
  return kUnusable;
}

/// A thread of oneTBB cannot throw to main().
[[noreturn]] void end_at_uncaught_exception() {
  remove_unfinished_files();
  ::_exit(report(std::current_exception()));
}

void set_signals() {
  std::set_terminate(end_at_uncaught_exception);
  end_by_force_with(end_at_once);
  struct sigaction lost_page {};
  lost_page.sa_sigaction = end_at_lost_page;
  lost_page.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &lost_page, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // write() reports a closed pipe
  std::signal(SIGXFSZ, SIG_IGN);  // write() reports the file size limit
  std::signal(SIGINT, end_at_once);
  std::signal(SIGTERM, end_at_once);
}

/// Without this, the next opened file would get the number of a closed standard descriptor. The
/// replacements fail: standard input cannot be read, standard output and error cannot be written.
void occupy_closed_descriptors() {
  while (true) {
    const int next = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (next > STDERR_FILENO || next < 0) {
      if (next >= 0) ::close(next);
      return;
    }
    if (next == STDIN_FILENO) {
      ::close(next);
      if (::open("/dev/null", O_WRONLY | O_CLOEXEC) < 0) return;
    }
  }
}

/// The chosen command, for "see headlight COMMAND --help"; not help itself.
std::string chosen_command(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  const bool is_help = !chosen.empty() && chosen.front()->get_name() == "help";
  return chosen.empty() || is_help ? "headlight" : "headlight " + chosen.front()->get_name();
}

/// What the parser says of an option with too many or too few values, as a sentence.
std::string in_words(const CLI::ParseError& error) {
  std::string what = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return what;
  const std::string name = what.substr(0, what.find(": "));
  if (what.ends_with(" missing")) return name + " needs a value";
  std::istringstream words(what.substr(std::min(what.find("At Most "), what.size())));
  std::string word;
  std::size_t most = 0;
  std::size_t found = 0;
  if (!(words >> word >> word >> most >> word >> word >> word >> found)) return what;
  if (most > 1)
    return name + " takes at most " + counted(most, "value") + ", found " + std::to_string(found);
  return name + " is given " + std::to_string(found) + " times, and takes one value";
}

int wrong_usage(const CLI::App& app, const std::string& what) {
  complain(what + (what.ends_with('?') ? " See " : "; see ") + chosen_command(app) + " --help");
  return kWrongUsage;
}

/// Also where a required option is missing, which may be the one that is misspelt.
bool has_unknown_arguments(const CLI::App& app, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return true;
  return dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
         !app.remaining(/*recurse=*/true).empty();
}

int run(int argc, char** argv) {
  CLI::App app("Classifies text with transformer encoders and shows what each head attends to.",
               "headlight");
  app.formatter(help_formatter());  // commands inherit it
  app.set_help_flag("-h,--help", "Print this help and exit");
  Runner runner;
  const Command* const alone = lone_command(argc, argv);
  alone == nullptr ? add_commands_but(nullptr, app, runner) : alone->add(app, runner);
  bool verbose = false;
  const auto version = [&verbose] {
    return std::string(build_line()) + (verbose ? build_libraries() : "");
  };
  app.add_flag("-v,--verbose", verbose, "With --version: print the libraries it is built with, too")
      ->group(kRunGroup)
      ->needs(app.set_version_flag("--version", version, "Print the version and the build and exit")
                  ->group(kRunGroup));
  app.require_subcommand(0, 1);
  app.footer(
      "headlight help tasks says which command does what people come for, headlight help COMMAND "
      "how it is used.\n\nExamples:\n"
      "  headlight classify \"a gorgeous, witty, seductive movie\"\n"
      "  headlight batch reviews.txt -o predictions.jsonl");
  try {
    app.parse(argc, argv);
    if (!runner) {
      print(short_help(app));
      return kSuccess;
    }
    check_rules(*app.get_subcommands().front());
    note_command(*app.get_subcommands().front());
    return runner();
  } catch (const CLI::ParseError& error) {
    if (has_unknown_arguments(app, error)) {
      // The message names the commands that have the option.
      if (alone != nullptr) add_commands_but(alone, app, runner);
      return wrong_usage(app, unknown_argument(app));
    }
    if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success)) {
      return wrong_usage(app, in_words(error));
    }
    std::ostringstream help;
    app.exit(error, help, help);
    print(help.str());
    return kSuccess;
  } catch (const UsageError& error) {
    if (error.more().empty()) return wrong_usage(app, error.what());
    std::string corrected = "headlight";
    for (int i = 1; i < argc; ++i) corrected += ' ' + shell_word(argv[i]);
    complain(error.what() + std::string("; try: ") + corrected + ' ' + error.more());
    return kWrongUsage;
  }
}

}  // namespace
}  // namespace headlight

int hl_command(int argc, char** argv) {
  headlight::occupy_closed_descriptors();
  headlight::set_signals();
  const headlight::FileGuard guard;
  try {
    return headlight::run(argc, argv);
  } catch (...) {
    return headlight::report(std::current_exception());
  }
}
