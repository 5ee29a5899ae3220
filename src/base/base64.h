// Bytes written as letters. (RFC 4648, section 4)
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headlight {

/// The bytes, or nothing where `text` is not base64 with its padding.
std::optional<std::string> decode_base64(std::string_view text);

std::string encode_base64(std::string_view bytes);

}  // namespace headlight
