#include "fuzz/failing_calls.h"

#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>

namespace headlight::fuzz {
namespace {

// Global, because the functions of the system have no other parameters.
FailingCalls* watching = nullptr;

/// Whether the call must fail; then errno is set.
bool fails(std::string_view function) {
  const Fault* fault = watching == nullptr ? nullptr : watching->next(function);
  if (fault == nullptr || fault->error == 0) return false;
  errno = fault->error;
  return true;
}

/// The number of bytes to read or write; nullopt: the call must fail, and errno is set.
std::optional<std::size_t> allowed(std::string_view function, std::size_t size) {
  const Fault* fault = watching == nullptr ? nullptr : watching->next(function);
  if (fault == nullptr) return size;
  if (fault->error == 0) return (size + 1) / 2;
  errno = fault->error;
  return std::nullopt;
}

int opened(int descriptor) {
  if (watching != nullptr && descriptor >= 0) watching->opened();
  return descriptor;
}

}  // namespace

FailingCalls::FailingCalls(std::vector<Fault> faults) : faults_(std::move(faults)) {
  watching = this;
}

FailingCalls::~FailingCalls() { watching = nullptr; }

const Fault* FailingCalls::next(std::string_view function) {
  const int call = calls_[function]++;
  for (const Fault& fault : faults_) {
    const bool is_meant = call == fault.call || (fault.forever && call > fault.call);
    if (fault.function == function && is_meant) return &fault;
  }
  return nullptr;
}

}  // namespace headlight::fuzz

using headlight::fuzz::allowed;
using headlight::fuzz::fails;
using headlight::fuzz::opened;
using headlight::fuzz::watching;

// The linker makes these names: __wrap_write is called for write, __real_write is write.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

int __real_open(const char* path, int flags, ...);
int __wrap_open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return fails("open") ? -1 : opened(__real_open(path, flags, mode));
}

int __real_mkostemp(char* name, int flags);
int __wrap_mkostemp(char* name, int flags) {
  return fails("mkostemp") ? -1 : opened(__real_mkostemp(name, flags));
}

int __real_close(int descriptor);
int __wrap_close(int descriptor) {
  if (watching != nullptr) watching->closed();
  return __real_close(descriptor);
}

ssize_t __real_write(int descriptor, const void* bytes, size_t size);
ssize_t __wrap_write(int descriptor, const void* bytes, size_t size) {
  const auto most = allowed("write", size);
  return most ? __real_write(descriptor, bytes, *most) : -1;
}

ssize_t __real_pwrite(int descriptor, const void* bytes, size_t size, off_t place);
ssize_t __wrap_pwrite(int descriptor, const void* bytes, size_t size, off_t place) {
  const auto most = allowed("pwrite", size);
  return most ? __real_pwrite(descriptor, bytes, *most, place) : -1;
}

ssize_t __real_read(int descriptor, void* bytes, size_t size);
ssize_t __wrap_read(int descriptor, void* bytes, size_t size) {
  const auto most = allowed("read", size);
  return most ? __real_read(descriptor, bytes, *most) : -1;
}

ssize_t __real_pread(int descriptor, void* bytes, size_t size, off_t place);
ssize_t __wrap_pread(int descriptor, void* bytes, size_t size, off_t place) {
  const auto most = allowed("pread", size);
  return most ? __real_pread(descriptor, bytes, *most, place) : -1;
}

/// Does not wait for a disk: no file outlives the target.
int __wrap_fsync(int) { return fails("fsync") ? -1 : 0; }

int __real_ftruncate(int descriptor, off_t size);
int __wrap_ftruncate(int descriptor, off_t size) {
  return fails("ftruncate") ? -1 : __real_ftruncate(descriptor, size);
}

int __real_flock(int descriptor, int operation);
int __wrap_flock(int descriptor, int operation) {
  return fails("flock") ? -1 : __real_flock(descriptor, operation);
}

int __real_fstat(int descriptor, struct stat* status);
int __wrap_fstat(int descriptor, struct stat* status) {
  return fails("fstat") ? -1 : __real_fstat(descriptor, status);
}

int __real_rename(const char* from, const char* to);
int __wrap_rename(const char* from, const char* to) {
  return fails("rename") ? -1 : __real_rename(from, to);
}

int __real_renameat2(int from_folder, const char* from, int to_folder, const char* to,
                     unsigned flags);
int __wrap_renameat2(int from_folder, const char* from, int to_folder, const char* to,
                     unsigned flags) {
  return fails("renameat2") ? -1 : __real_renameat2(from_folder, from, to_folder, to, flags);
}

void* __real_mmap(void* address, size_t size, int protection, int flags, int descriptor,
                  off_t place);
void* __wrap_mmap(void* address, size_t size, int protection, int flags, int descriptor,
                  off_t place) {
  if (descriptor >= 0 && fails("mmap")) return MAP_FAILED;
  return __real_mmap(address, size, protection, flags, descriptor, place);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
