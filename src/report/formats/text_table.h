// Tables for people.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

/// A heading and rows below it: the first `left` columns begin in line, the others end in line.
class TextTable {
 public:
  TextTable(std::vector<std::string> heading, std::size_t left) : left_(left) {
    add(std::move(heading));
  }
  /// As many cells as the heading has.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  /// An empty line and the table's.
  std::string text() const;

 private:
  std::size_t left_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace headlight
