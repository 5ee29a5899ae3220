// Aligned tables of text, and bars of block characters (Unicode, "Block Elements").
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

/// A heading with rows below it. The first `left` columns are left-aligned, the others
/// right-aligned.
class TextTable {
 public:
  TextTable(std::vector<std::string> heading, std::size_t left) : left_(left) {
    add(std::move(heading));
  }
  /// The row must have as many cells as the heading.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  /// An empty line, then the lines of the table.
  std::string text() const;
  /// The first is the heading.
  const std::vector<std::vector<std::string>>& rows() const { return rows_; }

 private:
  std::size_t left_;
  std::vector<std::vector<std::string>> rows_;
};

/// A bar of `share` (0 to 1) times `width` columns, in steps of half a column, padded with blanks.
std::string text_bar(double share, std::size_t width);

/// A bar to the right of a middle line, or to its left if `share` (-1 to 1) is negative. Each side
/// has `width` columns.
std::string signed_text_bar(double share, std::size_t width);

}  // namespace headlight
