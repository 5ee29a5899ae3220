// What the parser cannot keep of an option: the words of a choice, whether it changes a result, and
// its rules. A rule is declared beside its option, checked in one place, and shown by help, manual
// pages and completions. All three read the same text.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace headlight {

/// An error of the command line that the parser does not detect: exit status 2.
class UsageError : public std::runtime_error {
 public:
  /// `more`: arguments with which the same command line works.
  explicit UsageError(const std::string& what, std::string more = "")
      : std::runtime_error(what), more_(std::move(more)) {}

  const std::string& more() const { return more_; }

 private:
  std::string more_;
};

/// What an option changes. --resume compares only options that change a result.
enum class Effect : std::uint8_t {
  result,
  contents,  // it names a file or a model, which is compared by its content
  nothing,
};

/// A condition that is known only after a file or a model was looked at: see check_fact().
struct Fact {
  const char* name;       // follows "needs": "CSV input"
  bool is_listed = true;  // whether help shows it
};

struct Rule {
  enum class Kind : std::uint8_t { needs, excludes, needs_fact };

  Kind kind;
  std::string values;  // "bf16 or int8": only for these values of the option; empty: for all
  std::string what;    // "--format csv or tsv", "--positions or --mask"; or the name of a fact
  std::string reason;  // follows `what` in the message; may be empty
  bool is_listed;
};

struct Declaration {
  std::vector<std::string> choices;  // the only values; empty: any
  std::string value;                 // of a choice: the word in use, typed or not
  Effect effect = Effect::result;
  std::vector<Rule> rules;
};

/// Of this option of a command, which must not be removed.
Declaration& declaration_of(const CLI::Option& option);

/// Adds rules: rule(option).needs("--ids"), rule(option, "last").needs(kTrainsAll).
class RulesOf {
 public:
  RulesOf(CLI::Option* option, std::string values) : option_(option), values_(std::move(values)) {}

  /// One of the options in `what` must be given, with one of the values if it names some. Words in
  /// capitals stand for any value: "-o FILE". An option may also have the value by itself: --format
  /// by the ending of -o.
  RulesOf& needs(const std::string& what, const std::string& reason = "");
  RulesOf& needs(const Fact& fact, const std::string& reason = "");
  /// None of the options in `what` may be given in this way. Those that the command lacks are
  /// ignored.
  RulesOf& excludes(const std::string& what, const std::string& reason = "");
  /// Keeps the rule that was added last out of help.
  RulesOf& unlisted();

 private:
  CLI::Option* option_;
  std::string values_;
};

inline RulesOf rule(CLI::Option* option, const std::string& values = "") {
  return {option, values};
}

/// Options that are added to the command while this object lives.
class AddedOptions {
 public:
  explicit AddedOptions(CLI::App& command)
      : command_(command), before_(command.get_options().size()) {}
  std::vector<CLI::Option*> all() const;

 private:
  CLI::App& command_;
  std::size_t before_;  // the number of options
};

/// Options that are added to the command while this object lives need `what`.
class NeedOfAll {
 public:
  NeedOfAll(CLI::App& command, std::string what) : added_(command), what_(std::move(what)) {}
  NeedOfAll(CLI::App& command, const Fact& fact) : added_(command), fact_(&fact) {}
  ~NeedOfAll();
  NeedOfAll(const NeedOfAll&) = delete;
  NeedOfAll& operator=(const NeedOfAll&) = delete;

 private:
  AddedOptions added_;
  std::string what_;
  const Fact* fact_ = nullptr;  // in place of `what`
};

/// Adds rules: of these options, only one may be given.
void only_one_of(CLI::App& command, const std::vector<std::string>& names);

/// Whether "--compare or --words" names the option.
bool names_option(const std::string& what, const std::string& name);

/// Returns the option.
CLI::Option* mark(CLI::Option* option, Effect effect);

/// Throws UsageError for the first rule between options that is broken. The command line must have
/// been parsed.
void check_rules(const CLI::App& command);
/// Unless the fact holds, throws UsageError for the first given option that needs it. `why` ends
/// the message.
void check_fact(const CLI::App& command, const Fact& fact, bool holds, const std::string& why = "");

/// "needs --train all; not with --pair or --ids"; empty if there is no rule to show.
std::string rules_text(const CLI::App& command, const CLI::Option& option);

}  // namespace headlight
