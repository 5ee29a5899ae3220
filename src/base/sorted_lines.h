// Sorts more lines than memory holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/temporary_file.h"

namespace headlight {

/// Lines in the order of a number: the highest first, equal ones in the order in which they were
/// added. Lines of more than `most_bytes` together are sorted in parts, in a file without a name in
/// the folder of temporary files (TMPDIR, else /tmp), and merged at the end.
class SortedLines {
 public:
  explicit SortedLines(std::size_t most_bytes = std::size_t{64} << 20U);
  ~SortedLines();
  SortedLines(const SortedLines&) = delete;
  SortedLines& operator=(const SortedLines&) = delete;

  /// Throws Error if the temporary file cannot be written.
  void add(double number, std::string line);
  /// Passes on all lines in order. Call it once, at the end. Throws Error if the temporary file
  /// cannot be read.
  void pass_on(const std::function<void(std::string_view)>& take);

 private:
  struct Line {
    double number;
    std::string text;
  };
  struct Part {
    std::uint64_t begin;
    std::uint64_t end;
  };
  class PartReader;

  void sort_lines();
  void write_part();

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::vector<Line> lines_;  // not in a part yet
  std::unique_ptr<TemporaryFile> file_;
  std::vector<Part> parts_;  // of the file, in the order of adding
};

}  // namespace headlight
