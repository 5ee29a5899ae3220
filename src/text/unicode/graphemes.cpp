#include "text/unicode/graphemes.h"

#include "text/unicode/character_tables.h"
#include "text/unicode/grapheme_tables.h"

namespace headlight {
namespace {

constexpr char32_t kZeroWidthJoiner = 0x200D;

/// The letters of a Hangul syllable, and syllables without (LV) and with (LVT) a final consonant.
enum class Hangul : std::uint8_t { none, leading, vowel, trailing, open, closed };

Hangul hangul_of(char32_t c) {
  const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  if (within(0x1100, 0x115F) || within(0xA960, 0xA97C)) return Hangul::leading;
  if (within(0x1160, 0x11A7) || within(0xD7B0, 0xD7C6)) return Hangul::vowel;
  if (within(0x11A8, 0x11FF) || within(0xD7CB, 0xD7FB)) return Hangul::trailing;
  if (!within(0xAC00, 0xD7A3)) return Hangul::none;
  return (c - 0xAC00U) % 28U == 0 ? Hangul::open : Hangul::closed;
}

/// GB6 to GB8.
bool is_within_syllable(char32_t before, char32_t after) {
  const Hangul left = hangul_of(before);
  const Hangul right = hangul_of(after);
  const bool vowel_may_follow = left == Hangul::vowel || left == Hangul::open;
  if (left == Hangul::leading) return right != Hangul::none && right != Hangul::trailing;
  if (vowel_may_follow && right == Hangul::vowel) return true;
  return right == Hangul::trailing && left != Hangul::none;
}

unsigned classes_of(char32_t c) {
  if (c >= U' ' && c < 0x7FU) return 0;
  const GraphemeRange* range = find_row(kGraphemes, c);
  return range == nullptr ? 0U : range->classes;
}

/// The end of the current cluster, as far as the rules for the next character need it.
class Ending {
 public:
  void push(char32_t c, unsigned classes) {
    joins_pictograph_ = c == kZeroWidthJoiner && after_pictograph_;
    after_pictograph_ =
        (classes & kPictograph) != 0 || (after_pictograph_ && (classes & kExtendsPictograph) != 0);
    if ((classes & kConsonant) != 0) {
      after_consonant_ = true;
      linked_ = false;
    } else if ((classes & kLinks) != 0) {
      linked_ = after_consonant_;
    } else if ((classes & kExtendsConsonant) == 0) {
      after_consonant_ = linked_ = false;
    }
    last_ = c;
    last_classes_ = classes;
  }

  /// The rules of the annex in order, from GB3.
  bool goes_on_with(char32_t c, unsigned classes) const {
    if (last_ == U'\r' && c == U'\n') return true;
    if (((last_classes_ | classes) & kControl) != 0) return false;
    if (is_within_syllable(last_, c)) return true;
    if ((classes & kAttaches) != 0 || (last_classes_ & kPrepends) != 0) return true;
    if (linked_ && (classes & kConsonant) != 0) return true;
    return joins_pictograph_ && (classes & kPictograph) != 0;
  }

 private:
  char32_t last_ = 0;
  unsigned last_classes_ = 0;
  bool after_pictograph_ = false;  // a pictograph and its extenders
  bool joins_pictograph_ = false;  // the same and a joiner
  bool after_consonant_ = false;   // a consonant and its extenders
  bool linked_ = false;            // with a linker among them
};

}  // namespace

std::size_t cluster_end(std::u32string_view text, std::size_t begin) {
  Ending ending;
  ending.push(text[begin], classes_of(text[begin]));
  std::size_t end = begin + 1;
  for (; end < text.size(); ++end) {
    const unsigned classes = classes_of(text[end]);
    if (!ending.goes_on_with(text[end], classes)) break;
    ending.push(text[end], classes);
  }
  return end;
}

}  // namespace headlight
