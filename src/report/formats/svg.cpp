#include "report/formats/svg.h"

#include <algorithm>

#include "base/utf8.h"
#include "report/formats/html.h"
#include "report/formats/plain_text.h"

namespace headlight {
namespace {

std::string svg_element(double width, double height, const std::string& attributes,
                        const std::string& content) {
  return "<svg " + attributes + R"( viewBox="0 0 )" + pixels(width) + " " + pixels(height) +
         R"(" width=")" + pixels(width) + "\">\n" + content + "</svg>\n";
}

}  // namespace

const char* const kDarkModeStyle =
    "@media screen and (prefers-color-scheme: dark) {\n"
    "  .paper { fill: #16181c; } text { fill: #e6e8eb; } .two { fill: var(--dark); }\n"
    "  .light { display: none; } .grid { stroke: #3c587e; }\n}\n"
    "@media not all and (prefers-color-scheme: dark) { .dark { display: none; } }\n"
    "@media print { .light { display: inline; } .dark { display: none; } }\n";

std::string pixels(double value) { return formatted("%.1f", value); }

std::string svg_text(double x, double y, const std::string& attributes, const std::string& text) {
  return "<text x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\" " + attributes + ">" + text +
         "</text>\n";
}

std::string svg_box(const SvgBox& box, const std::string& attributes, const std::string& title) {
  return "<rect x=\"" + pixels(box.x) + "\" y=\"" + pixels(box.y) + "\" width=\"" +
         pixels(box.width) + "\" height=\"" + pixels(box.height) + "\" " + attributes +
         (title.empty() ? "/>\n" : "><title>" + title + "</title></rect>\n");
}

std::string two_fills(const Colour& light, const Colour& dark) {
  return R"(class="two" fill=")" + light.hex() + R"(" style="--dark:)" + dark.hex() + "\"";
}

std::string svg_group(double x, double y, const std::string& content) {
  return "<g transform=\"translate(" + pixels(x) + " " + pixels(y) + ")\">\n" + content + "</g>\n";
}

std::string svg_figure(double width, double height, const std::string& label,
                       const std::string& content) {
  return svg_element(width, height, R"(role="img" aria-label=")" + label + "\"", content);
}

std::string svg_document(double width, double height, const std::string& label,
                         const std::string& content, const std::string& title) {
  constexpr double kTitle = 34.0;   // height
  constexpr double kLetter = 10.5;  // about the width of one
  constexpr double kLeft = 12.0;
  if (!title.empty()) {
    const double least = 2 * kLeft + kLetter * static_cast<double>(width_of(printable(title)));
    const std::string text = html_text(title);
    return svg_document(
        std::max(width, least), height + kTitle, text + ": " + label,
        svg_text(kLeft, kTitle / 2 + 4, R"(dy="0.35em" font-size="17" font-weight="bold")", text) +
            svg_group(0, kTitle, content));
  }
  const std::string declaration = R"(<?xml version="1.0" encoding="UTF-8"?>)";
  return declaration + '\n' +
         svg_element(width, height,
                     R"(xmlns="http://www.w3.org/2000/svg" role="img" height=")" + pixels(height) +
                         R"(" font-family="sans-serif" font-size="12")",
                     "<title>" + label + "</title>\n<style>\n" + kDarkModeStyle + "</style>\n" +
                         svg_box({0, 0, width, height}, R"(class="paper" fill="#ffffff")", "") +
                         content);
}

}  // namespace headlight
