// Extended grapheme clusters: what a reader perceives as one character (Unicode Standard Annex 29,
// with the classes of the reference).
#pragma once

#include <cstddef>
#include <string_view>

namespace headlight {

/// The end of the cluster that begins at `begin` (< text.size()). Each regional indicator is its
/// own cluster: a pair is too long for the use in charsmap.h.
std::size_t cluster_end(std::u32string_view text, std::size_t begin);

}  // namespace headlight
