#include "report/formats/html.h"

#include "base/utf8.h"
#include "report/formats/svg.h"

namespace headlight {
namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --text: #1c1e21; --back: #ffffff; --line: #c9ced6; --mark: #2f6fde; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8eb; --back: #16181c; --line: #444a54; --mark: #6ea3ff; }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back);
       max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; } th, td { padding: 0.15rem 0.8rem 0.15rem 0; text-align: right; }
th:first-child, td:first-child { text-align: left; } th { border-bottom: 1px solid var(--line); }
svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg text:not(.two) { fill: var(--text); } .line { stroke: var(--line); fill: none; }
.mark { fill: var(--mark); } .diagonal { stroke: var(--text); stroke-dasharray: 4 4; }
.cell { stroke: var(--line); }
.bars { width: 100%; max-width: 44rem; table-layout: fixed; }
.bars th { width: 32%; border: 0; font-weight: normal; text-align: right; overflow-wrap: anywhere; }
.bars td { width: 3.5rem; padding-right: 0.5rem; } .bars .track { width: auto; padding: 0; }
.bars small { display: inline-block; opacity: 0.75; } .track div { display: flex; }
.track b { flex: 1; height: 1rem; display: flex; } .track .red { justify-content: flex-end; }
.track .blue { border-left: 1px solid var(--text); }
.track i { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.red i { background: #cc4d41; } .blue i { background: #3b83bd; }
)";

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

std::string html_page(const std::string& title, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         html_text(title) + "</title>\n<style>" + kStyle + kDarkModeStyle +
         "</style>\n</head>\n<body>\n<h1>" + html_text(title) + "</h1>\n" + body +
         "</body>\n</html>\n";
}

}  // namespace headlight
