// A file without a name, for what does not fit into memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

/// In the folder of temporary files (TMPDIR, else /tmp). It is gone when it is closed, also if the
/// process is killed. Each function throws Error if it fails.
class TemporaryFile {
 public:
  TemporaryFile();
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::uint64_t size() const { return size_; }
  void append(std::string_view bytes);
  /// Fills `bytes` from `offset` on, which must be in the file.
  void read(std::uint64_t offset, std::span<char> bytes) const;

 private:
  std::string directory_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

}  // namespace headlight
