#include "text/normalizers/normal_form.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <utf8proc.h>

#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

/// The longest decomposition (of U+FDFA) has 18 characters.
constexpr std::size_t kLongest = 32;

/// The first character that can be the second character of a composition.
constexpr char32_t kFirstComposing = 0x300;

// The data of utf8proc is newer than that of the reference. The decomposition and combining class
// of a character of Unicode 9.0 never change (Unicode stability policy). Our tables define which
// characters have them.
unsigned combining_class(char32_t c) {
  if (!is_reordered(c)) return 0;
  const auto* property = utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
  return static_cast<unsigned>(property->combining_class);
}

/// The composition of two characters, or nullopt.
std::optional<char32_t> compose(char32_t first, char32_t second) {
  if (second < kFirstComposing) return std::nullopt;
  std::array<utf8proc_int32_t, 2> pair{static_cast<utf8proc_int32_t>(first),
                                       static_cast<utf8proc_int32_t>(second)};
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  if (utf8proc_normalize_utf32(pair.data(), 2, options) != 1) return std::nullopt;
  const auto composed = static_cast<char32_t>(pair[0]);
  return is_decomposing(composed) ? std::optional(composed) : std::nullopt;
}

/// Receives decomposed characters one by one, sorts each run of marks, and passes all on.
template <typename Take>
class Orderer {
 public:
  explicit Orderer(Take take) : take_(take) {}

  void push(char32_t c, std::int32_t changes) {
    if (combining_class(c) != 0) {
      marks_.push_back({c, changes});
      return;
    }
    finish();
    take_(Written{c, changes});
  }

  void finish() {
    if (marks_.empty()) return;
    std::stable_sort(marks_.begin(), marks_.end(), [](const Written& a, const Written& b) {
      return combining_class(a.c) < combining_class(b.c);
    });
    for (const Written& mark : marks_) take_(mark);
    marks_.clear();
  }

 private:
  Take take_;
  std::vector<Written> marks_;  // of the current run
};

template <typename Take>
void push_decomposed(Orderer<Take>& orderer, char32_t c, bool compatible) {
  std::array<utf8proc_int32_t, kLongest> parts{};
  int boundary_class = 0;
  const auto options = static_cast<utf8proc_option_t>(
      compatible ? UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT : UTF8PROC_DECOMPOSE);
  const utf8proc_ssize_t count = utf8proc_decompose_char(
      static_cast<utf8proc_int32_t>(c), parts.data(), parts.size(), options, &boundary_class);
  for (std::size_t i = 0; i < static_cast<std::size_t>(std::max<utf8proc_ssize_t>(count, 0)); ++i) {
    orderer.push(static_cast<char32_t>(parts[i]), i > 0 ? 1 : 0);
  }
}

/// Passes the decomposition of `text` to `take`, character by character.
template <typename Take>
void decompose(std::u32string_view text, bool compatible, Take take) {
  Orderer orderer(take);
  for (const char32_t c : text) {
    if (compatible ? is_compatibly_decomposing(c) : is_decomposing(c)) {
      push_decomposed(orderer, c, compatible);
    } else {
      orderer.push(c, 0);
    }
  }
  orderer.finish();
}

/// Receives decomposed characters in canonical order. Composes a character with the starter before
/// it if the two compose and no character of the same class, or of class 0, is between them. Passes
/// characters on when the next starter comes.
template <typename Take>
class Composer {
 public:
  explicit Composer(Take take) : take_(take) {}

  void push(const Written& next) {
    const unsigned its_class = combining_class(next.c);
    const bool is_blocked = last_class_ != 0 && last_class_ >= its_class;
    if (starter_ && !is_blocked) {
      Written& starter = pending_.front();
      if (const auto composed = compose(starter.c, next.c)) {
        starter.c = *composed;
        starter.changes += next.changes - 1;
        return;
      }
    }
    if (its_class == 0) finish();
    pending_.push_back(next);
    starter_ = starter_ || its_class == 0;
    if (starter_) last_class_ = its_class;
  }

  void finish() {
    for (const Written& written : pending_) take_(written);
    pending_.clear();
  }

 private:
  Take take_;
  std::vector<Written> pending_;  // the last starter and what follows it; before it, all marks
  bool starter_ = false;          // there was one
  unsigned last_class_ = 0;       // of the last mark after it that did not compose; 0: none
};

bool is_composed(NormalForm form) { return form == NormalForm::nfc || form == NormalForm::nfkc; }

/// A quick check whether `text` is already in this form. May return false although it is.
bool is_surely(std::u32string_view text, NormalForm form) {
  const bool compatible = form == NormalForm::nfkd || form == NormalForm::nfkc;
  if (are_below(text, compatible ? kFirstCompatible : kFirstAccented)) return true;
  return std::none_of(text.begin(), text.end(), [&](char32_t c) {
    if (compatible && is_compatibly_decomposing(c) && !is_decomposing(c)) return true;
    return is_composed(form) ? c >= kFirstComposing : is_decomposing(c) || is_reordered(c);
  });
}

}  // namespace

void to_normal_form(NormalizedText& text, NormalForm form) {
  if (is_surely(text.characters, form)) return;
  const bool compatible = form == NormalForm::nfkd || form == NormalForm::nfkc;
  Rewriting rewriting(text);
  const auto write = [&](const Written& next) { rewriting.push(next); };
  if (is_composed(form)) {
    Composer composer(write);
    decompose(text.characters, compatible, [&](const Written& next) { composer.push(next); });
    composer.finish();
  } else {
    decompose(text.characters, compatible, write);
  }
  text = rewriting.finish();
}

}  // namespace headlight
