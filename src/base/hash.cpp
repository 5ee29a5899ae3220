#include "base/hash.h"

#include <array>

#include <xxhash.h>

namespace headlight {

std::string hash_of(std::string_view bytes) {
  XXH128_canonical_t canonical{};
  ::XXH128_canonicalFromHash(&canonical, ::XXH3_128bits(bytes.data(), bytes.size()));
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : canonical.digest) {
    text += kHexDigits[byte >> 4U];
    text += kHexDigits[byte & 15U];
  }
  return text;
}

}  // namespace headlight
