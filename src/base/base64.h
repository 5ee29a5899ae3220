// Base64 (RFC 4648, section 4).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headlight {

/// Returns the decoded bytes, or nullopt if `text` is not padded base64.
std::optional<std::string> decode_base64(std::string_view text);

std::string encode_base64(std::string_view bytes);

}  // namespace headlight
