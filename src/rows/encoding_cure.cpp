#include "rows/encoding_cure.h"

#include <cstddef>

#include "base/utf8.h"

namespace headlight {
namespace {

/// What the bytes above 7F look like.
struct HighBytes {
  std::size_t all = 0;
  std::size_t runs = 0;     // without ASCII between
  std::size_t upper = 0;    // C0 to DF: capitals in Windows-1251, small letters in KOI8-R
  std::size_t lower = 0;    // E0 to FF, the other way round
  std::size_t utf8 = 0;     // in well-formed characters
  std::size_t pairs = 0;    // read two by two:
  std::size_t kana = 0;     //   Japanese in EUC-JP
  std::size_t sjis = 0;     //   Japanese in Shift_JIS
  std::size_t hangul = 0;   //   Korean in EUC-KR
  std::size_t chinese = 0;  //   in GB 18030
};

HighBytes high_bytes_in(std::string_view text) {
  HighBytes found;
  const auto at = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto is_between = [](unsigned int byte, unsigned int low, unsigned int high) {
    return byte >= low && byte <= high;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (at(i) < 0x80U) continue;
    ++found.all;
    if (i == 0 || at(i - 1) < 0x80U) ++found.runs;
    if (is_between(at(i), 0xC0U, 0xDFU)) ++found.upper;
    if (at(i) >= 0xE0U) ++found.lower;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (at(i) < 0x80U) continue;
    const unsigned int first = at(i);
    const unsigned int second = at(++i);
    ++found.pairs;
    if (is_between(first, 0xA4U, 0xA5U) && second > 0xA0U) ++found.kana;
    if (is_between(first, 0x82U, 0x83U) && second >= 0x40U) ++found.sjis;
    if (is_between(first, 0xB0U, 0xC8U) && second > 0xA0U) ++found.hangul;
    if (is_between(first, 0xB0U, 0xF7U) && second > 0xA0U) ++found.chinese;
  }
  for (std::size_t i = 0; i < text.size();) {
    const auto character = decode_utf8(text, i);
    if (character && character->bytes > 1) found.utf8 += character->bytes;
    i += character ? character->bytes : 1;
  }
  return found;
}

const char* likely_encoding(const HighBytes& found) {
  const auto is_most = [](std::size_t part, std::size_t all) { return 10 * part >= 7 * all; };
  if (found.all <= 2 * found.runs) return "WINDOWS-1252";  // letters with accents stand alone
  if (3 * found.sjis > found.pairs) return "SHIFT_JIS";
  if (3 * found.kana > found.pairs) return "EUC-JP";
  if (is_most(found.lower, found.all)) return "WINDOWS-1251";
  if (10 * found.hangul >= 9 * found.pairs) return "EUC-KR";
  if (is_most(found.upper, found.all)) return "KOI8-R";
  return is_most(found.chinese, found.pairs) ? "GB18030" : "WINDOWS-1252";
}

}  // namespace

std::string encoding_cure(std::string_view bad, const std::string& file) {
  const HighBytes found = high_bytes_in(bad);
  // UTF-8 with a few broken characters only loses these.
  const std::string from =
      3 * found.utf8 >= 2 * found.all ? "-c -f UTF-8" : std::string("-f ") + likely_encoding(found);
  const std::string name = file == "-" ? "" : ' ' + file;
  return "iconv " + from + " -t UTF-8" + name + " makes UTF-8 of such text";
}

}  // namespace headlight
