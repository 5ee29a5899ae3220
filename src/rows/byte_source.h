// The bytes of a descriptor, decompressed, in pieces, with a way to know whether the next one is
// there yet.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/compression.h"

namespace headlight {

class ByteSource {
 public:
  /// `name` is what errors call it. The descriptor stays the caller's.
  ByteSource(int descriptor, std::string name, Compression compression = Compression::none);

  /// Waits until read() returns at once, for `milliseconds` at most (-1: for ever), or for a signal
  /// that ends the run.
  bool wait(int milliseconds) const;
  /// Appends the next piece; false at the end. Throws Error where the bytes cannot be read.
  bool read(std::string& bytes);
  /// Bytes of the file that were read so far, as they stand there.
  std::size_t position() const { return position_; }

 private:
  bool read_piece(std::string& bytes);
  bool read_compressed(std::string& bytes);

  int descriptor_;
  std::string name_;
  std::size_t position_ = 0;
  std::optional<Decompressor> decompressor_;
  std::string compressed_;        // a piece of the file
  std::string_view undelivered_;  // what of it is to be decompressed
  bool more_inside_ = false;      // the decompressor may have more without more bytes
};

}  // namespace headlight
