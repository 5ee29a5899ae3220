// A hash to recognize equal bytes: 128-bit XXH3 (https://xxhash.com), which runs at memory speed.
// It is not cryptographic.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// 32 hexadecimal digits.
std::string hash_of(std::string_view bytes);

}  // namespace headlight
