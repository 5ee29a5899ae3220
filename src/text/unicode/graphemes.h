// Extended grapheme clusters: what a reader takes for one character. (Unicode Standard Annex 29,
// with the classes of the reference)
#pragma once

#include <cstddef>
#include <string_view>

namespace headlight {

/// Where the cluster ends that begins at `begin` (< text.size()). Regional indicators are cut one
/// from the other: two of them are too long for what we need clusters for (charsmap.h).
std::size_t cluster_end(std::u32string_view text, std::size_t begin);

}  // namespace headlight
