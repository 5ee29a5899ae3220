// The exception of the library. It becomes exactly one line for the user:
//
//   headlight: model/config.json: hidden_size 96 is not divisible by num_attention_heads 5
//
// `where` is a file, a row or a tensor. `what` is what was found and what was expected. `hint` is
// what to do. Texts, labels and file names in it are not escaped: use printable() of base/utf8.h
// before printing.
#pragma once

#include <stdexcept>
#include <string>

namespace headlight {

class Error : public std::runtime_error {
 public:
  Error(const std::string& where, const std::string& what, const std::string& hint = "")
      : std::runtime_error(""), line_(join(where, what, hint)) {}

  /// The whole line, including any NUL in a name (what() ends there).
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

/// A text or row that cannot be scored (bad UTF-8, no tokens, too long). The run can continue.
class TextError : public Error {
 public:
  explicit TextError(const std::string& what, const std::string& hint = "")
      : Error("", what, hint) {}
};

}  // namespace headlight
