// What Replace and Split look for: a string, or a regular expression. The one door to Oniguruma,
// the engine of the reference.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/normalizers/normalized_text.h"

namespace headlight {

/// Does not change once made: threads may share it.
class Pattern {
 public:
  /// The string itself, which is not empty.
  static Pattern of_string(std::u32string text);
  /// A regular expression in the syntax of Oniguruma. Throws Error{"", what Oniguruma says}.
  static Pattern of_expression(const std::string& expression);

  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;
  ~Pattern();

  /// All matches in their order, none of which overlap; they may be empty, but for one that stands
  /// where the match before it ends. Throws TextError where an expression needs more steps for the
  /// text than anything sensible does.
  std::vector<Span> find_all(std::u32string_view text) const;

 private:
  class Expression;
  explicit Pattern(std::u32string text);
  explicit Pattern(std::unique_ptr<const Expression> expression);

  std::u32string text_;
  std::unique_ptr<const Expression> expression_;  // nullptr: the string
};

}  // namespace headlight
