#include "base/temporary_file.h"

#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

namespace headlight {
namespace {

std::string temporary_directory() {
  const char* named = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe): no thread sets it
  return named != nullptr && *named != '\0' ? named : "/tmp";
}

[[noreturn]] void fail_temporary(const std::string& directory, const char* action) {
  throw Error(directory,
              std::string("cannot ") + action + " a temporary file: " + system_message(errno),
              "TMPDIR names another directory");
}

}  // namespace

TemporaryFile::TemporaryFile() : directory_(temporary_directory()) {
  std::string name = directory_ + "/headlight-XXXXXX";
  descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail_temporary(directory_, "create");
  ::unlink(name.c_str());
}

TemporaryFile::~TemporaryFile() { ::close(descriptor_); }

void TemporaryFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_temporary(directory_, "write");
    bytes.remove_prefix(static_cast<std::size_t>(count));
    size_ += static_cast<std::uint64_t>(count);
  }
}

void TemporaryFile::read(std::uint64_t offset, std::span<char> bytes) const {
  while (!bytes.empty()) {
    const ssize_t count =
        ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail_temporary(directory_, "read");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

}  // namespace headlight
