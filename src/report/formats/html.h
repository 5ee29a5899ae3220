// Building blocks of self-contained HTML pages: no network, light and dark mode.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/formats/text_table.h"

namespace headlight {

/// `text` as the content of an element or of a quoted attribute. Markup is escaped; control and
/// direction-changing characters become visible escapes.
std::string html_text(std::string_view text);

/// A row of a table, each cell an `element`; `cells` are markup.
std::string html_row(const std::vector<std::string>& cells, const char* element = "td");

/// A table whose cells are texts. The first `names` columns have names, which are broken after
/// underscores if they are long; `tag` opens the table.
std::string html_table(const TextTable& table, std::size_t names = 0, const char* tag = "<table>");

/// A table or another wide element of a page, which scrolls sideways if the window is narrower,
/// with a shadow where there is more. Screen readers read `label` (markup).
std::string html_scroller(const std::string& label, const std::string& content);

/// A picture of a page (see svg_figure) that keeps its size, so that its letters can be read. It
/// scrolls in a narrower window; a line above it says so.
std::string html_picture(double width, double height, const std::string& label,
                         const std::string& content);

/// A page with a heading and a style sheet; `body` is markup.
std::string html_page(const std::string& title, const std::string& body);

/// CSS: colours in light and dark mode, letters, panels. The build generates it from style.css and
/// page.css (style.cmake).
extern const std::string_view kPageStyle;

}  // namespace headlight
