// Lines from a descriptor in bounded memory, with a way to know whether the next one is there yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace headlight {

/// A line ends at LF; a CR before it and a byte-order mark at the very beginning are not text. A
/// last line without LF is a line like any other.
class LineReader {
 public:
  static constexpr std::size_t kLongestLine = std::size_t{16} * 1024 * 1024;

  enum class Status : std::uint8_t { line, too_long, end };

  /// `name` is what errors call the input. The descriptor stays the caller's.
  LineReader(int descriptor, std::string name);

  /// Waits for the next line. A longer one than kLongestLine is passed over and said. A requested
  /// stop is an end. Throws Error where the input cannot be read.
  Status next(std::string& line);

  /// Whether next() would return without waiting.
  bool ready();

 private:
  bool has_line() const { return buffer_.find('\n', searched_) != std::string::npos || at_end_; }
  bool wait(int milliseconds) const;
  void read_more();
  void take_line(std::size_t end, std::string& line);

  int descriptor_;
  std::string name_;
  std::string buffer_;  // what was read and not handed out, from begin_ on
  std::size_t begin_ = 0;
  std::size_t searched_ = 0;  // no LF stands before this
  bool at_start_ = true;
  bool at_end_ = false;
};

}  // namespace headlight
