// Memory-mapped files for reading.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// A regular file, mapped read-only so that processes share one copy. The bytes are valid during
/// the lifetime of this object. If the file is truncated in that time, reading its lost bytes
/// raises SIGBUS.
class MappedFile {
 public:
  /// Throws Error with the path and the reason: absent, unreadable, a directory, a pipe, a pointer
  /// of Git LFS.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::string_view text() const;
  /// Releases the pages to the system. They are loaded again when they are read.
  void let_go() const;
  /// The same for the pages that lie completely in `part`, which may be memory of any kind.
  void let_go(std::span<const std::byte> part) const;

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Records which files the work of this thread maps during its lifetime (TeamWork, on all its
/// threads). Only one may exist at a time for one work.
class FilesRead {
 public:
  FilesRead();
  ~FilesRead();
  FilesRead(const FilesRead&) = delete;
  FilesRead& operator=(const FilesRead&) = delete;

  /// The paths of these files, sorted, without duplicates.
  std::vector<std::string> paths() const;

 private:
  const void* work_;
};

/// The path of the mapped file that contains `address`; nullptr if there is none. A signal handler
/// may call it.
const char* mapped_path_at(const void* address);

/// How a file begins that Git LFS keeps in place of a large one.
inline constexpr std::string_view kLfsPointer = "version https://git-lfs.github.com/spec/";
inline constexpr const char* kLfsFound = "a pointer of Git LFS, not the file itself";
inline constexpr const char* kLfsCure = "`git lfs pull` fetches the file";

/// Whether something exists at `path`. False if it cannot be accessed.
bool file_exists(const std::string& path);

/// The message of an errno value, such as "No such file or directory".
std::string system_message(int error_number);

}  // namespace headlight
