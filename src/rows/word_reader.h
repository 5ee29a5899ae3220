// Words as they come, each as soon as it is whole: what white space separates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "rows/byte_source.h"

namespace headlight {

/// A line is a text. A byte-order mark at the very beginning is not text.
class WordReader {
 public:
  static constexpr std::size_t kLongestWord = std::size_t{16} * 1024 * 1024;  // bytes

  enum class Status : std::uint8_t { word, too_long, new_text, end };

  explicit WordReader(ByteSource& source) : source_(source) {}

  /// Waits for the next word, or newline. A longer word than kLongestWord is passed over and said.
  /// Bytes that are not UTF-8 belong to the word they stand in. A requested stop is an end. Throws
  /// Error where the input cannot be read.
  Status next(std::string& word);

  /// Whether next() would return without waiting.
  bool ready();

 private:
  /// What comes next in what was read: a word's end, a newline, or nothing yet.
  std::optional<Status> find();
  void read_more();

  ByteSource& source_;
  std::string buffer_;        // what was read and not handed out, from begin_ on
  std::size_t begin_ = 0;     // of the word, or of the white space before it
  std::size_t searched_ = 0;  // no word ends before this
  bool at_start_ = true;
  bool at_end_ = false;
  bool passing_over_ = false;    // the beginning of this word was thrown away
  std::optional<Status> found_;  // what next() will return
};

}  // namespace headlight
