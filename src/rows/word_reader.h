// Reads words separated by white space. Each word is returned as soon as it is complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "rows/byte_source.h"

namespace headlight {

/// Each line is a text. A byte-order mark at the beginning of the input is not text.
class WordReader {
 public:
  static constexpr std::size_t kLongestWord = std::size_t{16} * 1024 * 1024;  // bytes

  enum class Status : std::uint8_t { word, too_long, new_text, end };

  explicit WordReader(ByteSource& source) : source_(source) {}

  /// Waits for the next word or newline. A word longer than kLongestWord is skipped and reported as
  /// too_long. Bytes that are not UTF-8 are part of the word around them. After a requested stop it
  /// returns `end`. Throws Error if the input cannot be read.
  Status next(std::string& word);

  /// Whether next() would return without waiting.
  bool ready();

 private:
  /// The next end of a word or newline in the buffer; nullopt if there is none yet.
  std::optional<Status> find();
  void read_more();

  ByteSource& source_;
  std::string buffer_;        // bytes not returned yet begin at begin_
  std::size_t begin_ = 0;     // the beginning of the word, or of the white space before it
  std::size_t searched_ = 0;  // no word ends before this
  bool at_start_ = true;
  bool at_end_ = false;
  bool passing_over_ = false;    // the beginning of this word was discarded
  std::optional<Status> found_;  // the next result of next()
};

}  // namespace headlight
