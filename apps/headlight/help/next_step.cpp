#include "help/next_step.h"

#include <string_view>

#include "base/utf8.h"
#include "options/choice.h"

namespace headlight {

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  return '\'' + replaced(text, {{'\'', R"('\'')"}}) + '\'';
}

std::string shell_path(const std::string& path) {
  return shell_word(path.find('/') == std::string::npos ? "./" + path : path);
}

void say_next(const Console& console, const std::string& command) {
  if (printable(command) == command) console.note("try: " + command);
}

void say_page(const Console& console, const std::string& path) {
  say_next(console, "xdg-open " + shell_path(path));
}

void say_page(const Console& console, const OutputOptions& output) {
  if (output.format() == OutputFormat::html && !output.path().empty()) {
    say_page(console, output.path());
  }
}

}  // namespace headlight
