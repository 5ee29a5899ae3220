// Reads lines, records of CSV, or elements of a JSON array, in bounded memory. Can check whether
// the next one is available without waiting.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rows/byte_source.h"
#include "rows/delimited.h"
#include "rows/json_array.h"

namespace headlight {

/// A CR before the LF and byte-order marks at the beginning of a line are not text: `cat` leaves
/// them between files. The last line may lack its LF. Where no LF is in the input, or in its first
/// 1 MiB, a CR ends a line.
class LineReader {
 public:
  static constexpr std::size_t kLongestLine = std::size_t{16} * 1024 * 1024;

  enum class Status : std::uint8_t { line, too_long, end };

  /// A line ends at every LF, or with the dialect of a CSV at every LF that is not quoted. JSON
  /// that begins as an array has its elements for lines.
  explicit LineReader(ByteSource& source, std::optional<CsvDialect> csv = std::nullopt,
                      bool is_json = false)
      : source_(source),
        is_csv_(csv.has_value()),
        may_be_array_(is_json),
        record_end_(csv.value_or(CsvDialect())) {}

  /// The dialect of a CSV, from the next record on.
  void split_by(CsvDialect csv) { record_end_ = CsvRecordEnd(csv); }

  /// Waits for the next line. A line longer than kLongestLine is skipped and reported as too_long.
  /// After a requested stop it returns `end`. Throws Error if the input cannot be read.
  Status next(std::string& line);

  /// The next line, or its beginning if it is too long. Waits for it.
  std::string_view ahead();
  /// The beginning of the first line ahead that is not blank, of what is read so far, without
  /// blanks before it.
  std::string_view text_ahead();

  /// Whether the line ahead(), or the last one of next(), ends where the input does.
  bool ends_open() { return find_end() == std::string::npos && at_end_; }
  bool last_ended_open() const { return last_ended_open_; }

  /// The line of the input, from 1, where the last line or record of next() begins.
  std::size_t line() const { return line_; }

  /// Whether next() would return without waiting.
  bool ready();
  /// Whether no line follows. Waits for it.
  bool is_at_end() {
    ahead();
    return is_used_up();
  }
  /// Whether the closing bracket of an array did not come so far.
  bool is_array_open() const { return open_brackets_ > 0; }
  /// The number of bytes that were read but not returned by next().
  std::size_t unread() const { return buffer_.size() - std::min(begin_, buffer_.size()); }

 private:
  bool has_line() { return find_end() != std::string::npos || at_end_; }
  std::size_t find_end();
  std::size_t next_end();
  bool pass_to_text();
  bool begins_quoted_after_cr(std::size_t end) const;
  void read_more();
  bool is_used_up() const { return at_end_ && begin_ >= buffer_.size(); }
  void take_line(std::size_t end, std::string& line);
  void count_lines(std::size_t begin, std::size_t end);
  void begin_line(std::size_t at);

  ByteSource& source_;
  bool is_csv_;
  bool may_be_array_;
  bool is_array_ = false;
  std::ptrdiff_t open_brackets_ = 0;
  CsvRecordEnd record_end_;
  JsonElementEnd element_end_;
  char line_end_ = '\n';
  bool knows_line_end_ = false;
  bool last_ended_open_ = false;
  std::string buffer_;  // bytes not returned yet begin at begin_
  std::size_t begin_ = 0;
  std::size_t searched_ = 0;  // no line ends before this
  std::size_t line_ = 0;
  std::size_t next_line_ = 1;
  bool at_start_ = true;  // of a line
  bool at_end_ = false;
};

}  // namespace headlight
