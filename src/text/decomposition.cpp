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
  std::int32_t changes;  // 1: one more than the character it came from, else 0
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
  explicit Orderer(const NormalizedText& text) : result_(text) {}

  void push(char32_t c, std::int32_t changes) {
    const unsigned its_class = combining_class(c);
    if (its_class == 0) {
      place_marks();
      result_.push(c, changes);
    } else {
      marks_.push_back({c, its_class, changes});
    }
  }

  NormalizedText finish() {
    place_marks();
    return result_.finish();
  }

 private:
  void place_marks() {
    if (marks_.size() > 1) {
      std::stable_sort(marks_.begin(), marks_.end(), [](const Pending& a, const Pending& b) {
        return a.combining_class < b.combining_class;
      });
    }
    for (const Pending& mark : marks_) result_.push(mark.c, mark.changes);
    marks_.clear();
  }

  Rewriting result_;
  std::vector<Pending> marks_;
};

void push_decomposed(Orderer& orderer, char32_t c) {
  std::array<utf8proc_int32_t, kLongest> parts{};
  int boundary_class = 0;
  const utf8proc_ssize_t count =
      utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts.data(), parts.size(),
                              UTF8PROC_DECOMPOSE, &boundary_class);
  for (std::size_t i = 0; i < static_cast<std::size_t>(std::max<utf8proc_ssize_t>(count, 0)); ++i) {
    orderer.push(static_cast<char32_t>(parts[i]), i > 0 ? 1 : 0);
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
      orderer.push(c, 0);
    }
  }
  text = orderer.finish();
}

}  // namespace headlight
