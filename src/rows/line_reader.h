// Lines, or records of CSV, in bounded memory, with a way to know whether the next one is there
// yet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "rows/byte_source.h"
#include "rows/delimited.h"

namespace headlight {

/// What ends a line: every LF, or every one that a CSV record does not quote.
enum class LineEnd : std::uint8_t { newline, csv_record };

/// A CR before the LF and a byte-order mark at the very beginning are not text. A last line without
/// LF is a line like any other.
class LineReader {
 public:
  static constexpr std::size_t kLongestLine = std::size_t{16} * 1024 * 1024;

  enum class Status : std::uint8_t { line, too_long, end };

  explicit LineReader(ByteSource& source, LineEnd line_end = LineEnd::newline)
      : source_(source), line_end_(line_end) {}

  /// Waits for the next line. A longer one than kLongestLine is passed over and said. A requested
  /// stop is an end. Throws Error where the input cannot be read.
  Status next(std::string& line);

  /// Whether next() would return without waiting.
  bool ready();
  /// Bytes that were read ahead of next().
  std::size_t unread() const { return buffer_.size() - std::min(begin_, buffer_.size()); }

 private:
  bool has_line() { return find_end() != std::string::npos || at_end_; }
  std::size_t find_end();
  void read_more();
  void take_line(std::size_t end, std::string& line);
  void begin_line(std::size_t at);

  ByteSource& source_;
  LineEnd line_end_;
  CsvRecordEnd record_end_;
  std::string buffer_;  // what was read and not handed out, from begin_ on
  std::size_t begin_ = 0;
  std::size_t searched_ = 0;  // no line ends before this
  bool at_start_ = true;
  bool at_end_ = false;
};

}  // namespace headlight
