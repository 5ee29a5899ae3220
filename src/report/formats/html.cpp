#include "report/formats/html.h"

#include "base/utf8.h"
#include "report/formats/shared_style.h"
#include "report/formats/svg.h"

namespace headlight {
namespace {

/// What pages without scripts have beside the shared style.
constexpr const char* kStyle = R"(
:root { --shadow: #00000055; }
@media screen and (prefers-color-scheme: dark) { :root { --shadow: #ffffff66; } }
h1 { margin-bottom: 0.875rem; } h2 { margin: 2rem 0 0.5rem; } main > h2:first-child { margin-top: 0; }
h3 { margin-top: 1rem; } main > p + *, main > * + p { margin-top: 0.75rem; }
table { border-collapse: collapse; } th, td { padding: 0.15rem 0.8rem 0.15rem 0; text-align: right; }
th:first-child, td:first-child { text-align: left; } th { border-bottom: 1px solid var(--line); }
svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg text:not(.two) { fill: var(--text); } .line { stroke: var(--line); fill: none; }
.mark { fill: var(--accent); } .diagonal { stroke: var(--text); stroke-dasharray: 4 4; }
.cell { stroke: var(--line); }
body { overflow-wrap: anywhere; } table { overflow-wrap: normal; }
td, th { font-variant-numeric: tabular-nums; vertical-align: baseline; }
.name { overflow-wrap: anywhere; } .rows td, .rows th, .pairs .name, .pairs th:nth-child(2) { text-align: left; }
.scroller { overflow-x: auto; background:
  linear-gradient(to right, var(--panel) 40%, transparent) left / 3rem calc(100% + 2px) local no-repeat,
  linear-gradient(to left, var(--panel) 40%, transparent) right / 3rem calc(100% + 2px) local no-repeat,
  linear-gradient(to right, var(--shadow), transparent) left / 1rem 100% scroll no-repeat,
  linear-gradient(to left, var(--shadow), transparent) right / 1rem 100% scroll no-repeat; }
.scroller td, .scroller th { white-space: nowrap; } .scroller svg { display: block; max-width: none; }
.picture { container-type: inline-size; }
.hint { margin: 0; overflow: hidden; font-size: 0.85rem; opacity: 0.8;
        height: clamp(0px, (var(--width) - 100cqw) * 99, 1.5rem); }
@media (max-width: 30rem) {
  body { padding-top: 1rem; } .panel { padding: 0.875rem; border-radius: 8px; }
  th, td { padding-right: 0.5rem; } table:not(.bars) { font-size: 0.85rem; }
}
@media print {
  body { padding: 0; max-width: none; } .panel { border: 0; padding: 0; }
  .scroller { overflow: visible; background: none; } .scroller svg { max-width: 100%; }
  .hint { display: none; }
}
.bars { width: 100%; max-width: 44rem; table-layout: fixed; }
.bars th { width: 32%; border: 0; font-weight: normal; text-align: right; overflow-wrap: anywhere; }
.bars td { width: 3.5rem; padding-right: 0.5rem; } .bars .track { width: auto; padding: 0; }
.bars small { display: inline-block; opacity: 0.75; } .track div { display: flex; }
.track b { flex: 1; height: 1rem; display: flex; } .track .red { justify-content: flex-end; }
.track .blue { border-left: 1px solid var(--text); }
.track i { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.red i { background: #cc4d41; } .blue i { background: #3b83bd; }
)";

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
  std::string escaped;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string html_cells(const std::vector<std::string>& cells, const char* element) {
  std::string row;
  for (const auto& cell : cells)
    row += std::string("<") + element + ">" + cell + "</" + element + ">";
  return row;
}

std::string html_row(const std::vector<std::string>& cells, const char* element) {
  return "<tr>" + html_cells(cells, element) + "</tr>\n";
}

std::string html_table(const TextTable& table, std::size_t names, const char* tag) {
  std::string rows;
  for (const auto& row : table.rows()) {
    const bool is_heading = rows.empty();
    rows += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      rows += i < names && !is_heading ? name_cell(row[i])
                                       : html_cells({html_text(row[i])}, is_heading ? "th" : "td");
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
         html_text(title) + "</title>\n<style>\n" + std::string(kSharedStyle) + kStyle +
         kDarkModeStyle + "</style>\n</head>\n<body>\n<h1>" + html_text(title) +
         "</h1>\n<main class=\"panel\">\n" + body + "</main>\n</body>\n</html>\n";
}

}  // namespace headlight
