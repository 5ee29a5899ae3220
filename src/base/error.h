// The one exception of the library. It becomes exactly one line for a person:
//
//   headlight: model/config.json: hidden_size 96 is not divisible by num_attention_heads 5
//
// `where` is a file, a row or a tensor; `what` says what was found and what was expected; `hint`
// says what to do. Texts, labels and file names inside are as found: whoever prints the line makes
// them harmless with printable() of base/utf8.h.
#pragma once

#include <stdexcept>
#include <string>

namespace headlight {

class Error : public std::runtime_error {
 public:
  Error(const std::string& where, const std::string& what, const std::string& hint = "")
      : std::runtime_error(""), line_(join(where, what, hint)) {}

  /// All of it; a name with a NUL inside is not cut there.
  const std::string& line() const { return line_; }
  const char* what() const noexcept override { return line_.c_str(); }

 private:
  static std::string join(const std::string& where, const std::string& what,
                          const std::string& hint) {
    std::string line = where.empty() ? what : where + ": " + what;
    return hint.empty() ? line : line + "; " + hint;
  }

  std::string line_;
};

/// A text or row that cannot be scored, in a run that can go on: bad UTF-8, no tokens, too long.
class TextError : public Error {
 public:
  explicit TextError(const std::string& what, const std::string& hint = "")
      : Error("", what, hint) {}
};

}  // namespace headlight
