// A file in memory, for what reads from a descriptor.
#pragma once

#include <cstddef>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/targets.h"

namespace headlight::fuzz {

/// Open at its beginning.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      require(written > 0, "a file in memory takes all bytes");
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    ::lseek(descriptor_, 0, SEEK_SET);
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace headlight::fuzz
