// The pattern of Replace and Split: a string or a regular expression. The only interface to
// Oniguruma, the regular expression engine of the reference.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/normalizers/normalized_text.h"

namespace headlight {

/// Immutable: threads may share it.
class Pattern {
 public:
  /// Matches the string itself, which must not be empty.
  static Pattern of_string(std::u32string text);
  /// A regular expression in Oniguruma syntax. Throws Error{"", Oniguruma's message}.
  static Pattern of_expression(const std::string& expression);

  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;
  ~Pattern();

  /// All matches in order, without overlaps. A match may be empty, except directly at the end of
  /// the previous match. Throws TextError if an expression needs an unreasonable number of steps
  /// or an unreasonable time for the text.
  std::vector<Span> find_all(std::u32string_view text) const;
  /// Whether a match has no single space in it and no look beyond one; a known form of
  /// expression, or a string.
  bool is_within_words() const;

 private:
  class Expression;
  explicit Pattern(std::u32string text);
  Pattern(std::unique_ptr<const Expression> expression, std::u32string text);

  std::u32string text_;                           // the string or the expression
  std::unique_ptr<const Expression> expression_;  // nullptr: matches the string
};

}  // namespace headlight
