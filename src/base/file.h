// Files mapped for reading.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// A regular file mapped read-only, so that processes share one copy. The bytes stay valid while
/// this lives; the file must not be truncated meanwhile.
class MappedFile {
 public:
  /// Throws Error naming the path and why: absent, unreadable, a directory, a pipe.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::string_view text() const;
  /// Gives the pages back to the system; what is read again is fetched again.
  void let_go() const;

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Remembers which files were mapped while it lives, by all threads. One at a time.
class FilesRead {
 public:
  FilesRead();
  ~FilesRead();
  FilesRead(const FilesRead&) = delete;
  FilesRead& operator=(const FilesRead&) = delete;

  /// Their paths, sorted, each once.
  std::vector<std::string> paths() const;
};

/// Whether something stands at `path`; what cannot be looked at does not.
bool file_exists(const std::string& path);

/// "No such file or directory" and the like, for errno.
std::string system_message(int error_number);

}  // namespace headlight
