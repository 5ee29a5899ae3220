// gzip and zstd, selected by the file extension. Both formats are sequences of independent members
// (zstd: frames). After a complete member, a file can be truncated or continued.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

/// Whether a file's name ends so, also in capitals (ASCII); `ending` has none.
bool has_ending(std::string_view path, std::string_view ending);

enum class Compression : std::uint8_t { none, gzip, zstd };

/// Selected by the extension: .gz, .zst, or none.
Compression compression_of(std::string_view path);

/// The path without the extension of its compression: "rows.csv" for "rows.csv.gz".
std::string_view without_compression(std::string_view path);

/// Decompresses a stream in bounded memory. Not thread-safe.
class Decompressor {
 public:
  /// `name` is the name of the input in errors. `compression` is not none.
  Decompressor(Compression compression, std::string name);
  ~Decompressor();
  Decompressor(Decompressor&&) noexcept;
  Decompressor& operator=(Decompressor&&) noexcept;

  /// Removes bytes from the front of `in`, writes the decompressed bytes to `out` and returns their
  /// number. Stops at the end of a member. If it returns 0 and `in` is empty, it needs more input.
  /// Throws Error if the bytes are damaged or need more than 128 MiB of memory.
  std::size_t read(std::string_view& in, std::span<char> out);
  /// Whether the input so far is empty or ends with a complete member.
  bool between_members() const;
  /// Call it at the end of the input. Throws Error if the input ends in the middle of a member.
  void finish() const;

 private:
  class Engine;
  class Gzip;
  class Zstd;
  std::unique_ptr<Engine> engine_;
  std::string name_;
};

/// Compresses `bytes` to one member. Equal bytes give an equal member with the same library.
std::string compressed_member(Compression compression, std::string_view bytes);

}  // namespace headlight
