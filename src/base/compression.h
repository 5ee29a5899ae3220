// gzip and zstd, by a file's ending. Both are chains of members (zstd: frames) that stand for
// themselves: what follows a whole one may be cut off or written anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

enum class Compression : std::uint8_t { none, gzip, zstd };

/// By the ending: .gz, .zst, or neither.
Compression compression_of(std::string_view path);

/// The path without the ending of its compression: "rows.csv" of "rows.csv.gz".
std::string_view without_compression(std::string_view path);

/// Bytes in as they come, what they stand for out, in bounded memory. Not for several threads at
/// once.
class Decompressor {
 public:
  /// `name` is what errors call the input. `compression` is not none.
  Decompressor(Compression compression, std::string name);
  ~Decompressor();
  Decompressor(Decompressor&&) noexcept;
  Decompressor& operator=(Decompressor&&) noexcept;

  /// Takes bytes from the front of `in` and puts what they stand for into `out`; returns how many
  /// that are. Stops at the end of a member. Zero with `in` empty: more is needed. Throws Error
  /// where the bytes are damaged, or need more than 128 MiB of memory.
  std::size_t read(std::string_view& in, std::span<char> out);
  /// Whether what was taken so far ends with a whole member, or nothing was.
  bool between_members() const;
  /// To be called where the input ends. Throws Error where it ends in the middle of a member.
  void finish() const;

 private:
  class Engine;
  class Gzip;
  class Zstd;
  std::unique_ptr<Engine> engine_;
  std::string name_;
};

/// One member that holds `bytes`: the same for the same bytes and the same library.
std::string compressed_member(Compression compression, std::string_view bytes);

}  // namespace headlight
