// Pieces of pages that stand alone: no scripts, nothing from a network, light and dark.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// `text` as the content of an element or of an attribute in quotes: control and direction-changing
/// characters as escapes that can be read, and nothing that is markup.
std::string html_text(std::string_view text);

/// A page with a heading, styled; `body` is markup.
std::string html_page(const std::string& title, const std::string& body);

}  // namespace headlight
