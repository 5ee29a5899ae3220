#include "options/declaration.h"

#include <algorithm>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "options/choice.h"

namespace headlight {
namespace {

/// An option as a rule names it.
struct NamedOption {
  std::string name;
  std::vector<std::string> values;  // one of these; empty: any
};

/// The words of "svg, html or npy".
std::vector<std::string> words_in(const std::string& list) {
  std::vector<std::string> found;
  std::istringstream words(list);
  for (std::string word; words >> word;) {
    if (word.ends_with(',')) word.pop_back();
    if (word != "or") found.push_back(word);
  }
  return found;
}

/// "--positions or --format svg, html or npy"
std::vector<NamedOption> options_in(const std::string& what) {
  std::vector<NamedOption> options;
  for (const std::string& word : words_in(what)) {
    const bool is_any_value = word.front() >= 'A' && word.front() <= 'Z';
    if (word.starts_with('-') || options.empty()) {
      options.push_back({word, {}});
    } else if (!is_any_value) {
      options.back().values.push_back(word);
    }
  }
  return options;
}

/// The value in use; empty if there is none.
std::string value_of(const CLI::Option& option) {
  const std::string& chosen = declaration_of(option).value;
  return chosen.empty() && option.count() > 0 ? option.results().back() : chosen;
}

bool is_in_use(const CLI::Option& option, const std::vector<std::string>& values) {
  return values.empty() ? option.count() > 0 : std::ranges::count(values, value_of(option)) > 0;
}

bool is_in_use(const CLI::App& command, const NamedOption& named) {
  const CLI::Option* option = command.get_option_no_throw(named.name);
  return option != nullptr && is_in_use(*option, named.values);
}

std::string with_value(const std::string& name, const std::string& value) {
  return value.empty() ? name : name + ' ' + value;
}

/// Whether the option is given as the rule says.
bool applies(const Rule& rule, const CLI::Option& option) {
  return is_in_use(option, words_in(rule.values));
}

/// `relation` is "needs --ids".
[[noreturn]] void refuse(const Rule& rule, const CLI::Option& option, const std::string& relation,
                         const std::string& found = "") {
  throw UsageError(with_value(option.get_name(), rule.values.empty() ? "" : value_of(option)) +
                   ' ' + relation + (rule.reason.empty() ? "" : ", " + rule.reason) + found);
}

/// "; found --format npy", where another value of a single option is needed.
std::string found_instead(const CLI::App& command, const std::vector<NamedOption>& needed) {
  if (needed.size() != 1 || needed.front().values.empty()) return "";
  const std::string& name = needed.front().name;
  const std::string value = value_of(*command.get_option(name));
  return value.empty() ? "" : "; found " + with_value(name, value);
}

void check_rule(const CLI::App& command, const Rule& rule, const CLI::Option& option) {
  if (rule.kind == Rule::Kind::needs_fact || !applies(rule, option)) return;
  const auto named = options_in(rule.what);
  const auto found =
      std::ranges::find_if(named, [&](const auto& one) { return is_in_use(command, one); });
  if (rule.kind == Rule::Kind::needs) {
    if (found == named.end()) {
      refuse(rule, option, "needs " + rule.what, found_instead(command, named));
    }
  } else if (found != named.end()) {
    const std::string value =
        found->values.empty() ? "" : value_of(*command.get_option(found->name));
    refuse(rule, option, "cannot be combined with " + with_value(found->name, value));
  }
}

/// Of the options in `what`, those that the command has.
std::vector<std::string> present_in(const CLI::App& command, const std::string& what) {
  std::vector<std::string> names;
  for (const NamedOption& named : options_in(what)) {
    if (command.get_option_no_throw(named.name) == nullptr) continue;
    names.push_back(with_value(named.name, alternatives(named.values)));
  }
  return names;
}

}  // namespace

Declaration& declaration_of(const CLI::Option& option) {
  static std::unordered_map<const CLI::Option*, Declaration> declarations;
  return declarations[&option];
}

RulesOf& RulesOf::needs(const std::string& what, const std::string& reason) {
  declaration_of(*option_).rules.push_back({Rule::Kind::needs, values_, what, reason, true});
  return *this;
}

RulesOf& RulesOf::needs(const Fact& fact, const std::string& reason) {
  declaration_of(*option_).rules.push_back(
      {Rule::Kind::needs_fact, values_, fact.name, reason, fact.is_listed});
  return *this;
}

RulesOf& RulesOf::excludes(const std::string& what, const std::string& reason) {
  declaration_of(*option_).rules.push_back({Rule::Kind::excludes, values_, what, reason, true});
  return *this;
}

RulesOf& RulesOf::unlisted() {
  declaration_of(*option_).rules.back().is_listed = false;
  return *this;
}

std::vector<CLI::Option*> AddedOptions::all() const {
  const auto options = command_.get_options();
  return {options.begin() + static_cast<std::ptrdiff_t>(before_), options.end()};
}

NeedOfAll::~NeedOfAll() {
  for (CLI::Option* option : added_.all()) {
    fact_ == nullptr ? rule(option).needs(what_) : rule(option).needs(*fact_);
  }
}

void only_one_of(CLI::App& command, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    std::vector<std::string> others = names;
    std::erase(others, name);
    rule(command.get_option(name)).excludes(alternatives(others));
  }
}

bool names_option(const std::string& what, const std::string& name) {
  return std::ranges::count(words_in(what), name) > 0;
}

CLI::Option* mark(CLI::Option* option, Effect effect) {
  declaration_of(*option).effect = effect;
  return option;
}

void check_rules(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    for (const Rule& rule : declaration_of(*option).rules) check_rule(command, rule, *option);
  }
}

void check_fact(const CLI::App& command, const Fact& fact, bool holds, const std::string& why) {
  if (holds) return;
  for (const CLI::Option* option : command.get_options()) {
    for (const Rule& rule : declaration_of(*option).rules) {
      if (rule.kind != Rule::Kind::needs_fact || rule.what != fact.name) continue;
      if (applies(rule, *option)) refuse(rule, *option, "needs " + rule.what + why);
    }
  }
}

std::string rules_text(const CLI::App& command, const CLI::Option& option) {
  std::vector<std::string> needed;
  std::vector<std::string> excluded;
  std::vector<std::string> of_values;
  for (const Rule& rule : declaration_of(option).rules) {
    if (!rule.is_listed) continue;
    const bool excludes = rule.kind == Rule::Kind::excludes;
    const auto what = excludes ? present_in(command, rule.what) : std::vector{rule.what};
    if (!rule.values.empty() && !what.empty()) {
      of_values.push_back(rule.values + (excludes ? " not with " : " needs ") + alternatives(what));
      continue;
    }
    auto& all = excludes ? excluded : needed;
    all.insert(all.end(), what.begin(), what.end());
  }
  if (!excluded.empty()) of_values.insert(of_values.begin(), "not with " + alternatives(excluded));
  if (!needed.empty()) of_values.insert(of_values.begin(), "needs " + joined(needed, " and "));
  return joined(of_values, "; ");
}

}  // namespace headlight
