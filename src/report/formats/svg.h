// Elements of SVG 1.1. Places and sizes are in pixels.
#pragma once

#include <string>

namespace headlight {

/// One decimal.
std::string pixels(double value);

/// `text` is markup, `attributes` as they stand in the tag.
std::string svg_text(double x, double y, const std::string& attributes, const std::string& text);

/// A rectangle with a title (markup, may be empty) that is shown where a pointer rests on it.
std::string svg_box(double x, double y, double width, double height, const std::string& attributes,
                    const std::string& title);

/// `content`, moved.
std::string svg_group(double x, double y, const std::string& content);

/// A picture in a page; `label` (markup) is what is read out.
std::string svg_figure(double width, double height, const std::string& label,
                       const std::string& content);

/// A picture that stands alone, on white.
std::string svg_document(double width, double height, const std::string& label,
                         const std::string& content);

}  // namespace headlight
