#include "report/formats/text_table.h"

#include <algorithm>
#include <cmath>

#include "report/formats/plain_text.h"

namespace headlight {
namespace {

std::string repeated(const char* piece, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

struct Halves {
  std::size_t whole;  // columns
  bool half;          // and one half
  std::size_t rest;   // columns that stay empty
};

Halves halves_of(double share, std::size_t width) {
  const double filled = std::clamp(std::abs(share), 0.0, 1.0) * 2.0 * static_cast<double>(width);
  const auto halves = static_cast<std::size_t>(std::lround(filled));
  const std::size_t whole = halves / 2;
  const bool half = halves % 2 == 1;
  return {whole, half, width - whole - (half ? 1 : 0)};
}

}  // namespace

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text = "\n";
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += i == 0 ? "" : "  ";
      line += i < left_ ? begin_in(row[i], widths[i]) : end_in(row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string text_bar(double share, std::size_t width) {
  const Halves bar = halves_of(std::max(share, 0.0), width);
  return repeated("█", bar.whole) + (bar.half ? "▌" : "") + std::string(bar.rest, ' ');
}

std::string signed_text_bar(double share, std::size_t width) {
  if (share >= 0.0) return std::string(width, ' ') + "│" + text_bar(share, width);
  const Halves bar = halves_of(share, width);
  return std::string(bar.rest, ' ') + (bar.half ? "▐" : "") + repeated("█", bar.whole) + "│" +
         std::string(width, ' ');
}

}  // namespace headlight
