// Tables in text for people.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headlight {

/// What is missing of `text` to fill `width` columns.
std::string blanks(const std::string& text, std::size_t width);

/// A name of somebody else's, where there is little room: harmless and not long.
std::string shown_name(const std::string& name);

/// A heading and rows below it: the first `left` columns begin in line, the others end in line.
class TextTable {
 public:
  TextTable(std::vector<std::string> heading, std::size_t left) : left_(left) {
    add(std::move(heading));
  }
  /// As many cells as the heading has.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  /// An empty line, the heading and the rows.
  std::string text() const;

 private:
  std::size_t left_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace headlight
