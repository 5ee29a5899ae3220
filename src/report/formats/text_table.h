// Aligned tables of text.
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

}  // namespace headlight
