// Whether bytes are the ones that were seen before. Nothing secret: XXH3 of 128 bits
// (https://xxhash.com), which is as fast as memory.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// 32 hexadecimal digits.
std::string hash_of(std::string_view bytes);

}  // namespace headlight
