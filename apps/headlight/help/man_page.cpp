#include "help/man_page.h"

#include <algorithm>
#include <sstream>

#include "help/fixed_texts.h"
#include "options/choice.h"

namespace headlight {
namespace {

/// `text` for a line of its own: no character of it is a request.
std::string roff_text(const std::string& text) {
  const std::string result = replaced(text, {{'\\', "\\e"}, {'-', "\\-"}});
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

std::string roff_bold(const std::string& text) { return "\\fB" + roff_text(text) + "\\fR"; }
std::string roff_italic(const std::string& text) { return "\\fI" + roff_text(text) + "\\fR"; }

std::string title_of(const CommandPage& page) {
  return page.name.empty() ? "headlight" : "headlight-" + page.name;
}

std::string roff_entry(const std::string& term, const std::string& description) {
  return ".TP\n" + term + '\n' + roff_text(description) + '\n';
}

std::string roff_option(const OptionPage& option) {
  std::string term = option.short_name.empty() ? "" : roff_bold(option.short_name) + ", ";
  term += roff_bold(option.long_name);
  if (!option.value.empty()) term += ' ' + roff_italic(option.value);
  return roff_entry(term, full_description(option));
}

std::string roff_synopsis(const CommandPage& page) {
  std::string name = "headlight";
  if (!page.name.empty()) name += ' ' + page.name;
  return ".SH SYNOPSIS\n" + roff_bold(name) + ' ' + roff_text(usage_of(page)) + '\n';
}

std::string roff_options(const CommandPage& page) {
  std::string text = ".SH OPTIONS\n";
  for (const OptionGroupPage& group : page.groups) {
    text += ".SS " + roff_text(group.name) + '\n';
    for (const OptionPage& option : group.options) text += roff_option(option);
  }
  return text;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

bool is_heading(const std::string& line) { return !line.starts_with(' ') && line.ends_with(':'); }

/// The lines of the footer before its first heading.
std::string roff_description(const CommandPage& page) {
  std::string text;
  std::istringstream lines(page.footer);
  for (std::string line; std::getline(lines, line) && !is_heading(line);) {
    text += roff_text(line) + '\n';
  }
  return text.empty() ? "" : ".SH DESCRIPTION\n" + text;
}

/// The headings of the footer with the commands below them, which are shown as they are.
std::string roff_footer(const CommandPage& page) {
  std::string text;
  std::istringstream lines(page.footer);
  for (std::string line; std::getline(lines, line);) {
    if (is_heading(line)) {
      text += (text.empty() ? "" : ".fi\n") +
              (".SH " + roff_text(upper(line.substr(0, line.size() - 1)))) + "\n.nf\n";
    } else if (!text.empty()) {
      text += roff_text(line.substr(line.find_first_not_of(' '))) + '\n';
    }
  }
  return text.empty() ? "" : text + ".fi\n";
}

/// "headlight-init - create a model": in lower case and without a full stop, as apropos lists it.
std::string roff_name(const CommandPage& page) {
  std::string what = page.description;
  if (what.ends_with('.')) what.pop_back();
  if (what.front() >= 'A' && what.front() <= 'Z')
    what.front() = static_cast<char>(what.front() - 'A' + 'a');
  return ".SH NAME\n" + roff_text(title_of(page)) + " \\- " + roff_text(what) + '\n';
}

std::string see_also(const CommandPage& page, const std::vector<CommandPage>& commands) {
  std::string text = ".SH SEE ALSO\n";
  std::string line;
  for (const CommandPage& other : commands) {
    const bool listed = page.name.empty() || other.name.empty();
    if (other.name == page.name || !listed) continue;
    line += (line.empty() ? "" : ",\n") + roff_bold(title_of(other)) + "(1)";
  }
  return text + line + '\n';
}

}  // namespace

std::string man_page_name(const CommandPage& page) { return title_of(page) + ".1"; }

std::string man_page(const CommandPage& page, const std::vector<CommandPage>& commands) {
  std::string text =
      ".TH " + roff_text(title_of(page)) + " 1 \"\" \"headlight " HEADLIGHT_VERSION "\"\n";
  text += ".nh\n" + roff_name(page) + roff_synopsis(page) + roff_description(page);
  if (page.name.empty()) {
    text += ".SH COMMANDS\n";
    for (const CommandPage& command : commands) {
      if (!command.name.empty()) text += roff_entry(roff_bold(command.name), command.description);
    }
  }
  if (!page.arguments.empty()) {
    text += ".SH ARGUMENTS\n";
    for (const OptionPage& argument : page.arguments) {
      text += roff_entry(roff_italic(argument.long_name) + (argument.repeats ? "..." : ""),
                         full_description(argument));
    }
  }
  text += roff_options(page) + roff_footer(page);
  if (page.name.empty()) text += kManualPageEnd;
  return text + see_also(page, commands);
}

}  // namespace headlight
