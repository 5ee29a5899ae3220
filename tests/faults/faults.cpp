// A library for LD_PRELOAD that makes one call of a system function fail.
//
//   HEADLIGHT_FAULT=write:3:28       the third call of write() fails with the error 28 (ENOSPC)
//   HEADLIGHT_FAULT=write:3:28+      so does every later one
//   HEADLIGHT_FAULT=unlink:1:0       the program is killed at the first call of unlink()
//   HEADLIGHT_CALLS=FILE             writes the number of calls of each function to FILE at the end
//
// Calls on standard error are not counted, because the reason of a failure is read there.
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

enum Function {
  kWrite,
  kPwrite,
  kFsync,
  kRename,
  kRead,
  kPread,
  kMmap,
  kOpen,
  kClose,
  kTruncate,
  kThread,
  kAttribute,
  kUnlink
};
constexpr std::array<const char*, 13> kNames = {
    "write", "pwrite", "fsync",     "rename",         "read",     "pread", "mmap",
    "open",  "close",  "ftruncate", "pthread_create", "setxattr", "unlink"};

std::array<std::atomic<long>, kNames.size()> calls{};

struct Fault {
  int function = -1;
  long call = 0;
  int error = 0;
  bool forever = false;
};

Fault fault_of(const char* text) {
  Fault fault;
  if (text == nullptr) return fault;
  const char* colon = std::strchr(text, ':');
  if (colon == nullptr) return fault;
  const std::string_view name(text, static_cast<std::size_t>(colon - text));
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (name == kNames[i]) fault.function = static_cast<int>(i);
  }
  char* rest = nullptr;
  fault.call = std::strtol(colon + 1, &rest, 10);
  fault.error = static_cast<int>(std::strtol(rest + 1, &rest, 10));
  fault.forever = *rest == '+';
  return fault;
}

/// Whether this call must fail; then errno is set.
bool fails(Function function) {
  static const Fault fault = fault_of(std::getenv("HEADLIGHT_FAULT"));
  const long call = ++calls[static_cast<std::size_t>(function)];
  if (fault.function != function || call < fault.call) return false;
  if (call > fault.call && !fault.forever) return false;
  if (fault.error == 0) std::raise(SIGKILL);
  errno = fault.error;
  return true;
}

template <typename Signature>
Signature* real(const char* name) {
  return reinterpret_cast<Signature*>(::dlsym(RTLD_NEXT, name));
}

struct CallCounter {
  CallCounter() = default;
  CallCounter(const CallCounter&) = delete;
  CallCounter& operator=(const CallCounter&) = delete;
  ~CallCounter() {
    const char* path = std::getenv("HEADLIGHT_CALLS");
    std::FILE* file = path == nullptr ? nullptr : std::fopen(path, "w");
    if (file == nullptr) return;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      std::fprintf(file, "%s %ld\n", kNames[i], calls[i].load());
    }
    std::fclose(file);
  }
};
const CallCounter at_exit;

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t size) {
  static const auto next = real<ssize_t(int, const void*, size_t)>("write");
  if (descriptor != STDERR_FILENO && fails(kWrite)) return -1;
  return next(descriptor, bytes, size);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t place) {
  static const auto next = real<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return fails(kPwrite) ? -1 : next(descriptor, bytes, size, place);
}

int fsync(int descriptor) {
  static const auto next = real<int(int)>("fsync");
  return fails(kFsync) ? -1 : next(descriptor);
}

int rename(const char* from, const char* to) noexcept {
  static const auto next = real<int(const char*, const char*)>("rename");
  return fails(kRename) ? -1 : next(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned int flags) noexcept {
  static const auto next = real<int(int, const char*, int, const char*, unsigned int)>("renameat2");
  return fails(kRename) ? -1 : next(from_folder, from, to_folder, to, flags);
}

ssize_t read(int descriptor, void* bytes, size_t size) {
  static const auto next = real<ssize_t(int, void*, size_t)>("read");
  return fails(kRead) ? -1 : next(descriptor, bytes, size);
}

ssize_t pread(int descriptor, void* bytes, size_t size, off_t place) {
  static const auto next = real<ssize_t(int, void*, size_t, off_t)>("pread");
  return fails(kPread) ? -1 : next(descriptor, bytes, size, place);
}

void* mmap(void* address, size_t size, int protection, int flags, int descriptor,
           off_t place) noexcept {
  static const auto next = real<void*(void*, size_t, int, int, int, off_t)>("mmap");
  if (descriptor >= 0 && fails(kMmap)) return MAP_FAILED;
  return next(address, size, protection, flags, descriptor, place);
}

int open(const char* path, int flags, ...) {
  static const auto next = real<int(const char*, int, ...)>("open");
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return fails(kOpen) ? -1 : next(path, flags, mode);
}

int close(int descriptor) {
  static const auto next = real<int(int)>("close");
  if (!fails(kClose)) return next(descriptor);
  const int error = errno;
  next(descriptor);  // Linux closes it in any case
  errno = error;
  return -1;
}

int ftruncate(int descriptor, off_t size) noexcept {
  static const auto next = real<int(int, off_t)>("ftruncate");
  return fails(kTruncate) ? -1 : next(descriptor, size);
}

int setxattr(const char* path, const char* name, const void* value, size_t size,
             int flags) noexcept {
  static const auto next =
      real<int(const char*, const char*, const void*, size_t, int)>("setxattr");
  return fails(kAttribute) ? -1 : next(path, name, value, size, flags);
}

int unlink(const char* path) noexcept {
  static const auto next = real<int(const char*)>("unlink");
  return fails(kUnlink) ? -1 : next(path);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  using Create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto next = real<Create>("pthread_create");
  return fails(kThread) ? errno : next(thread, attributes, start, argument);
}

}  // extern "C"
