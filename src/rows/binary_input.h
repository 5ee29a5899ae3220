// Recognizes files that are not text by their first bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

/// What a file seems to be, such as "a PNG image", and what to do.
struct BinaryKind {
  std::string what;
  std::string hint;
};

/// This many bytes at the beginning of a file are compared.
inline constexpr std::size_t kComparedBytes = 64;

/// The kind of a file that begins with these bytes; empty if it may be text. A single NUL or bad
/// UTF-8 does not make a file binary: such rows become error rows.
std::optional<BinaryKind> binary_kind(std::string_view beginning);

}  // namespace headlight
