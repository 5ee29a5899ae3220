// Elements of SVG 1.1. Places and sizes are in pixels.
#pragma once

#include <string>

#include "report/formats/colours.h"

namespace headlight {

/// One decimal.
std::string pixels(double value);

/// `text` is markup; `attributes` are copied into the tag.
std::string svg_text(double x, double y, const std::string& attributes, const std::string& text);

struct SvgBox {
  double x;
  double y;
  double width;
  double height;
};

/// A rectangle with a tooltip `title` (markup, may be empty).
std::string svg_box(const SvgBox& box, const std::string& attributes, const std::string& title);

/// Attributes of an element that has one colour in light mode and another in dark mode, wherever
/// kDarkModeStyle applies.
std::string two_fills(const Colour& light, const Colour& dark);

/// The style rules of dark mode, which is never printed.
extern const char* const kDarkModeStyle;

/// `content`, moved by x and y.
std::string svg_group(double x, double y, const std::string& content);

/// An SVG element for a page; screen readers read `label` (markup).
std::string svg_figure(double width, double height, const std::string& label,
                       const std::string& content);

/// A complete SVG document with a white background, in dark mode a dark one. `title`: a text above
/// the content; empty: none.
std::string svg_document(double width, double height, const std::string& label,
                         const std::string& content, const std::string& title = "");

}  // namespace headlight
