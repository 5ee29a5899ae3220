#include "text/splitters/pattern_properties.h"

#include <array>
#include <vector>

#include <oniguruma.h>

#include "text/unicode/character_tables.h"

namespace headlight {
namespace {

/// A property name in patterns, and its range of categories, first to last.
struct Property {
  const char* name;
  Category first;
  Category last;
};

constexpr std::array<Property, 17> kProperties{{
    {"L", Category::lu, Category::lo},
    {"Lu", Category::lu, Category::lu},
    {"Ll", Category::ll, Category::ll},
    {"Lt", Category::lt, Category::lt},
    {"Lm", Category::lm, Category::lm},
    {"Lo", Category::lo, Category::lo},
    {"M", Category::mn, Category::me},
    {"Mn", Category::mn, Category::mn},
    {"Mc", Category::mc, Category::mc},
    {"Me", Category::me, Category::me},
    {"N", Category::nd, Category::no},
    {"Nd", Category::nd, Category::nd},
    {"Nl", Category::nl, Category::nl},
    {"No", Category::no, Category::no},
    {"P", Category::p, Category::p},
    {"S", Category::s, Category::s},
    {"Z", Category::z, Category::z},
}};

/// The number of ranges, then first and last of each: the format of Oniguruma.
std::vector<OnigCodePoint> ranges_of(const Property& property) {
  std::vector<OnigCodePoint> ranges = {0};
  for (const auto& [first, last, category] : kCategories) {
    if (category < property.first || category > property.last) continue;
    if (ranges.size() > 1 && ranges.back() + 1 == first) {
      ranges.back() = last;
    } else {
      ranges.insert(ranges.end(), {first, last});
      ++ranges.front();
    }
  }
  return ranges;
}

}  // namespace

int define_properties() {
  static std::array<std::vector<OnigCodePoint>, kProperties.size()> all;  // Oniguruma points here
  for (std::size_t i = 0; i < kProperties.size(); ++i) {
    all[i] = ranges_of(kProperties[i]);
    const int status = onig_unicode_define_user_property(kProperties[i].name, all[i].data());
    if (status != ONIG_NORMAL) return status;
  }
  return ONIG_NORMAL;
}

}  // namespace headlight
