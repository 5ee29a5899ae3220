// The bytes that were compressed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/compression.h"

namespace headlight::fuzz {

/// Throws Error if the bytes are damaged.
inline std::string decompressed(Compression compression, std::string_view bytes) {
  Decompressor decompressor(compression, "bytes");
  std::string whole;
  std::vector<char> out(std::size_t{1} << 16U);
  for (std::size_t made = 1; made > 0 || !bytes.empty();) {
    made = decompressor.read(bytes, out);
    whole.append(out.data(), made);
  }
  decompressor.finish();
  return whole;
}

}  // namespace headlight::fuzz
