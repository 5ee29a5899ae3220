// Building blocks of self-contained HTML pages: no scripts, no network, light and dark mode.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// `text` as the content of an element or of a quoted attribute. Markup is escaped; control and
/// direction-changing characters become visible escapes.
std::string html_text(std::string_view text);

/// A page with a heading and a style sheet; `body` is markup.
std::string html_page(const std::string& title, const std::string& body);

}  // namespace headlight
