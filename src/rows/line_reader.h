// Reads lines, or records of CSV, in bounded memory. Can check whether the next one is available
// without waiting.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rows/byte_source.h"
#include "rows/delimited.h"

namespace headlight {

/// A CR before the LF and a byte-order mark at the beginning of the input are not text. The last
/// line may lack its LF. Where no LF is in the input, or in its first 1 MiB, a CR ends a line.
class LineReader {
 public:
  static constexpr std::size_t kLongestLine = std::size_t{16} * 1024 * 1024;

  enum class Status : std::uint8_t { line, too_long, end };

  /// A line ends at every LF, or with the delimiter of a CSV at every LF that is not quoted.
  explicit LineReader(ByteSource& source, std::optional<char> csv_delimiter = std::nullopt)
      : source_(source),
        is_csv_(csv_delimiter.has_value()),
        record_end_(csv_delimiter.value_or(',')) {}

  /// The delimiter of a CSV, from the next record on.
  void split_at(char delimiter) { record_end_ = CsvRecordEnd(delimiter); }

  /// Waits for the next line. A line longer than kLongestLine is skipped and reported as too_long.
  /// After a requested stop it returns `end`. Throws Error if the input cannot be read.
  Status next(std::string& line);

  /// The next line, or its beginning if it is too long. Waits for it.
  std::string_view ahead();

  /// Whether the line ahead(), or the last one of next(), ends where the input does.
  bool ends_open() { return find_end() == std::string::npos && at_end_; }
  bool last_ended_open() const { return last_ended_open_; }

  /// The line of the input, from 1, where the last line or record of next() begins.
  std::size_t line() const { return line_; }

  /// Whether next() would return without waiting.
  bool ready();
  /// Whether nothing follows. Waits for it.
  bool is_at_end();
  /// The number of bytes that were read but not returned by next().
  std::size_t unread() const { return buffer_.size() - std::min(begin_, buffer_.size()); }

 private:
  bool has_line() { return find_end() != std::string::npos || at_end_; }
  std::size_t find_end();
  std::size_t next_end();
  bool begins_quoted_after_cr(std::size_t end) const;
  void read_more();
  bool is_used_up() const { return at_end_ && begin_ >= buffer_.size(); }
  void take_line(std::size_t end, std::string& line);
  void count_lines(std::size_t begin, std::size_t end);
  void begin_line(std::size_t at);

  ByteSource& source_;
  bool is_csv_;
  CsvRecordEnd record_end_;
  char line_end_ = '\n';
  bool knows_line_end_ = false;
  bool last_ended_open_ = false;
  std::string buffer_;  // bytes not returned yet begin at begin_
  std::size_t begin_ = 0;
  std::size_t searched_ = 0;  // no line ends before this
  std::size_t line_ = 0;
  std::size_t next_line_ = 1;
  bool at_start_ = true;
  bool at_end_ = false;
};

}  // namespace headlight
