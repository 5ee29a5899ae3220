#include "text/decomposition.h"

#include <algorithm>
#include <array>
#include <utility>

#include <utf8proc.h>

#include "text/character_classes.h"

namespace headlight {
namespace {

/// The longest canonical decomposition has 4 characters.
constexpr std::size_t kLongest = 8;

/// One character of the result that has not found its place yet.
struct Pending {
  char32_t c;
  unsigned combining_class;
  bool is_extra;  // one more than the character it came from
};

// utf8proc's data is newer than the reference's. What a character of 9.0 decomposes to, and its
// combining class, never change (Unicode's stability policy); our tables say which these are.
unsigned combining_class(char32_t c) {
  if (!is_reordered(c)) return 0;
  const auto* property = utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
  return static_cast<unsigned>(property->combining_class);
}

/// Takes the characters of the result one by one, and orders each run of marks.
class Orderer {
 public:
  explicit Orderer(const NormalizedText& text) : text_(text) {
    result_.characters.reserve(text.size());
    result_.origins.reserve(text.size());
  }

  void push(char32_t c, bool is_extra) {
    const unsigned its_class = combining_class(c);
    if (its_class == 0) {
      place_marks();
      place(c, is_extra);
    } else {
      marks_.push_back({c, its_class, is_extra});
    }
  }

  NormalizedText finish() {
    place_marks();
    return std::move(result_);
  }

 private:
  void place_marks() {
    if (marks_.size() > 1) {
      std::stable_sort(marks_.begin(), marks_.end(), [](const Pending& a, const Pending& b) {
        return a.combining_class < b.combining_class;
      });
    }
    for (const Pending& mark : marks_) place(mark.c, mark.is_extra);
    marks_.clear();
  }

  void place(char32_t c, bool is_extra) {
    if (!is_extra) ++used_;
    result_.push_back(c, text_.origins[used_ - 1]);
  }

  const NormalizedText& text_;
  NormalizedText result_;
  std::vector<Pending> marks_;
  std::size_t used_ = 0;  // characters of the text that have a place
};

void push_decomposed(Orderer& orderer, char32_t c) {
  std::array<utf8proc_int32_t, kLongest> parts{};
  int boundary_class = 0;
  const utf8proc_ssize_t count =
      utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts.data(), parts.size(),
                              UTF8PROC_DECOMPOSE, &boundary_class);
  for (std::size_t i = 0; i < static_cast<std::size_t>(std::max<utf8proc_ssize_t>(count, 0)); ++i) {
    orderer.push(static_cast<char32_t>(parts[i]), i > 0);
  }
}

}  // namespace

void decompose(NormalizedText& text) {
  const auto changes = [](char32_t c) { return is_decomposing(c) || is_reordered(c); };
  if (std::none_of(text.characters.begin(), text.characters.end(), changes)) return;
  Orderer orderer(text);
  for (const char32_t c : text.characters) {
    if (is_decomposing(c)) {
      push_decomposed(orderer, c);
    } else {
      orderer.push(c, false);
    }
  }
  text = orderer.finish();
}

}  // namespace headlight
