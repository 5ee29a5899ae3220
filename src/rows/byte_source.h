// Reads the decompressed bytes of a descriptor in pieces. Can check whether the next piece is
// available without waiting.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/compression.h"
#include "base/hash.h"

namespace headlight {

/// What a file seems to be, such as "a PNG image", and what to do.
struct BinaryKind {
  std::string what;
  std::string hint;
};

/// The kind of a file that begins with these bytes; empty if it may be text. A single NUL or bad
/// UTF-8 does not make a file binary: such rows become error rows.
std::optional<BinaryKind> binary_kind(std::string_view beginning);

class ByteSource {
 public:
  /// `name` is the name of the input in errors. The caller owns the descriptor.
  ByteSource(int descriptor, std::string name, Compression compression = Compression::none);

  /// Waits at most `milliseconds` (-1: without limit) until read() would return at once. Returns
  /// false after the time limit or a stop signal.
  bool wait(int milliseconds) const;
  /// Appends the next piece; false at the end. Throws Error if the bytes cannot be read, or if the
  /// first ones are not those of a text (binary_kind()). At the end, the guard of files knows the
  /// hash of all bytes of the file (input_hash()).
  bool read(std::string& bytes);
  /// The number of bytes read from the file so far, before decompression.
  std::size_t position() const { return position_; }

 private:
  void check_beginning(std::string_view added);
  bool read_piece(std::string& bytes);
  bool read_compressed(std::string& bytes);

  int descriptor_;
  std::string name_;
  std::size_t position_ = 0;
  GrowingHash hash_;       // of the bytes before decompression
  std::string beginning_;  // the first bytes, decompressed
  std::optional<Decompressor> decompressor_;
  std::string compressed_;        // a piece of the file
  std::string_view undelivered_;  // the part that is not decompressed yet
  bool more_inside_ = false;      // the decompressor may have more output without more input
};

}  // namespace headlight
