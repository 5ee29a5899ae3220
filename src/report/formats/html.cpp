#include "report/formats/html.h"

#include <array>

#include "base/utf8.h"
#include "report/formats/svg.h"

namespace headlight {
namespace {

std::string in_element(const std::string& element, const std::string& content) {
  return "<" + element + ">" + content + "</" + element + ">";
}

std::string name_cell(const std::string& name) {
  std::string cell = "<td class=\"name\">";
  for (const char c : html_text(name)) {
    cell += c;
    if (c == '_') cell += "<wbr>";
  }
  return cell + "</td>";
}

}  // namespace

std::string html_text(std::string_view text) {
  constexpr std::string_view kMarkup = "&<>\"'";
  constexpr std::array kEntities = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  std::string escaped;
  for (const char c : printable(text)) {
    const std::size_t entity = kMarkup.find(c);
    if (entity == std::string_view::npos) {
      escaped += c;
    } else {
      escaped += kEntities.at(entity);
    }
  }
  return escaped;
}

std::string html_row(const std::vector<std::string>& cells, const char* element) {
  std::string row = "<tr>";
  for (const auto& cell : cells) row += in_element(element, cell);
  return row + "</tr>\n";
}

std::string html_table(const TextTable& table, std::size_t names, const char* tag) {
  std::string rows;
  for (const auto& row : table.rows()) {
    const char* element = rows.empty() ? "th" : "td";
    const std::size_t names_of_row = rows.empty() ? 0 : names;
    rows += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      rows += i < names_of_row ? name_cell(row[i]) : in_element(element, html_text(row[i]));
    }
    rows += "</tr>\n";
  }
  return std::string(tag) + '\n' + rows + "</table>\n";
}

std::string html_scroller(const std::string& label, const std::string& content) {
  return R"(<div class="scroller" role="region" tabindex="0" aria-label=")" + label + "\">\n" +
         content + "</div>\n";
}

std::string html_picture(double width, double height, const std::string& label,
                         const std::string& content) {
  return R"(<div class="picture" style="--width:)" + pixels(width) +
         "px\">\n<p class=\"hint\">Scroll the picture sideways to see all of it.</p>\n" +
         html_scroller(label, svg_figure(width, height, label, content)) + "</div>\n";
}

std::string html_page(const std::string& title, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         html_text(title) + "</title>\n<style>\n" + std::string(kPageStyle) + kDarkModeStyle +
         "</style>\n</head>\n<body>\n<h1>" + html_text(title) + "</h1>\n<main class=\"panel\">\n" +
         body + "</main>\n</body>\n</html>\n";
}

}  // namespace headlight
