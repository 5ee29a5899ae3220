#include "sparse/python_text.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <utf8proc.h>

#include "base/utf8.h"
#include "text/unicode/character_classes.h"
#include "text/unicode/character_tables.h"

namespace headlight {
namespace {

constexpr char32_t kSigma = U'Σ';
constexpr char32_t kSmallSigma = U'σ';
constexpr char32_t kFinalSigma = U'ς';
constexpr char32_t kDottedI = U'İ';  // whose lower case has two characters
constexpr char32_t kDotAbove = 0x307;

/// Cased, but for characters of category Lu, Ll and Lt, and those that are Case_Ignorable too.
constexpr std::array<CharacterRange, 7> kOtherCased = {{{0xAA, 0xAA},
                                                        {0xBA, 0xBA},
                                                        {0x2160, 0x217F},
                                                        {0x24B6, 0x24E9},
                                                        {0x1F130, 0x1F149},
                                                        {0x1F150, 0x1F169},
                                                        {0x1F170, 0x1F189}}};
/// Case_Ignorable, but for characters of category Mn, Me, Cf, Lm and Sk.
constexpr std::u32string_view kOtherIgnorable =
    U"'.:\u00B7\u0387\u055F\u05F4\u2018\u2019\u2024\u2027\uFE13\uFE52\uFE55\uFF07\uFF0E\uFF1A";

utf8proc_category_t category_of(char32_t c) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

bool is_case_ignorable(char32_t c) {
  switch (category_of(c)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
      return true;
    default:
      return kOtherIgnorable.find(c) != std::u32string_view::npos;
  }
}

bool is_cased(char32_t c) {
  const utf8proc_category_t category = category_of(c);
  return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LT) ||
         find_row(std::span<const CharacterRange>(kOtherCased), c) != nullptr;
}

/// Whether the first of these that is not Case_Ignorable is cased.
template <typename Iterator>
bool begins_cased(Iterator begin, Iterator end) {
  const Iterator first = std::find_if_not(begin, end, is_case_ignorable);
  return first != end && is_cased(*first);
}

/// Final_Sigma of the Unicode standard, section 3.13.
char32_t lower_sigma(std::u32string_view text, std::size_t at) {
  const std::u32string_view before = text.substr(0, at);
  const std::u32string_view after = text.substr(at + 1);
  const bool is_final =
      begins_cased(before.rbegin(), before.rend()) && !begins_cased(after.begin(), after.end());
  return is_final ? kFinalSigma : kSmallSigma;
}

}  // namespace

bool is_other_python_word(char32_t c) {
  const utf8proc_category_t category = category_of(c);
  return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) ||
         (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO);
}

bool is_python_space(char32_t c) { return is_white_space(c) || (c >= 0x1CU && c <= 0x1FU); }

void PythonText::read(std::string_view text, bool lowercase, Accents accents) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<signed char>(c) >= 0; })) {
    return read_ascii(text, lowercase);
  }
  counting_ = 0;
  characters = to_code_points(text);
  origins.resize(characters.size());
  std::iota(origins.begin(), origins.end(), 0U);
  if (lowercase) lower();
  if (accents != Accents::keep && !are_below(characters, 0x80U)) strip(accents);
  encode();
}

void PythonText::read_ascii(std::string_view text, bool lowercase) {
  const std::size_t size = text.size();
  padded.assign(text);
  if (lowercase) {
    for (char& c : padded) c = static_cast<char>(c + (c >= 'A' && c <= 'Z' ? 'a' - 'A' : 0));
  }
  characters.assign(padded.begin(), padded.end());
  padded.append(kTermPadding, '\0');
  if (counting_ > size) return;
  counting_ = size + 1;
  for (std::vector<std::uint32_t>* const numbers : {&starts, &origins}) {
    numbers->resize(counting_);
    std::iota(numbers->begin(), numbers->end(), 0U);
  }
}

void PythonText::lower() {
  const std::u32string old = std::move(characters);
  characters.clear();
  origins.clear();
  for (std::size_t i = 0; i < old.size(); ++i) {
    const char32_t c = old[i];
    const auto add = [&](char32_t lower) {
      characters.push_back(lower);
      origins.push_back(static_cast<std::uint32_t>(i));
    };
    if (c == kSigma) {
      add(lower_sigma(old, i));
    } else if (c == kDottedI) {
      add(U'i');
      add(kDotAbove);
    } else {
      add(static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))));
    }
  }
}

/// The order of marks, which NFKD defines, does not matter: all of them are removed.
void PythonText::strip(Accents accents) {
  constexpr auto kOptions =
      static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);  // NFKD
  const std::u32string old = std::move(characters);
  const std::vector<std::uint32_t> before = std::move(origins);
  characters.clear();
  origins.clear();
  for (std::size_t i = 0; i < old.size(); ++i) {
    std::array<utf8proc_int32_t, 32> parts{};  // the longest decomposition has 18
    int boundary = 0;
    const auto count =
        utf8proc_decompose_char(static_cast<utf8proc_int32_t>(old[i]), parts.data(),
                                static_cast<utf8proc_ssize_t>(parts.size()), kOptions, &boundary);
    for (std::size_t part = 0; part < static_cast<std::size_t>(std::max(count, {})); ++part) {
      const bool is_removed = accents == Accents::ascii
                                  ? parts[part] >= 0x80
                                  : utf8proc_get_property(parts[part])->combining_class != 0;
      if (is_removed) continue;
      characters.push_back(static_cast<char32_t>(parts[part]));
      origins.push_back(before[i]);
    }
  }
}

void PythonText::join_spaces() {
  const auto both = [](char32_t a, char32_t b) { return is_python_space(a) && is_python_space(b); };
  if (std::ranges::adjacent_find(characters, both) == characters.end()) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size();) {
    const auto end = std::find_if_not(characters.begin() + static_cast<std::ptrdiff_t>(i),
                                      characters.end(), is_python_space);
    const auto spaces = static_cast<std::size_t>(end - characters.begin()) - i;
    characters[kept] = spaces > 1 ? U' ' : characters[i];
    origins[kept++] = origins[i];
    i += std::max<std::size_t>(spaces, 1);
  }
  characters.resize(kept);
  encode();
}

void PythonText::encode() {
  counting_ = 0;
  padded.resize(size() * kLongestUtf8);
  padded.resize(write_utf8(characters, padded.data()));
  padded.append(kTermPadding, '\0');
  starts.resize(size() + 1);
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    starts[i] = at;
    const char32_t c = characters[i];
    at += c < 0x80U ? 1 : c < 0x800U ? 2 : c < 0x10000U ? 3 : 4;
  }
  starts[size()] = at;
}

}  // namespace headlight
