// What a program that was compiled with the headers of Debian 12 asks for, and glibc 2.17 lacks:
// link_old_glibc adds it.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#pragma GCC visibility push(hidden)
extern "C" {
char __libc_single_threaded = 0;  // it need not be right: 0 costs some locks

// In place of that of libstdc++. Glibc 2.18 calls `end` when the thread ends; without it, `object`
// stays.
int __cxa_thread_atexit(void (*end)(void*), void* object, void* module) {
  using AtExit = int (*)(void (*)(void*), void*, void*);
  static const auto at_exit =
      reinterpret_cast<AtExit>(::dlsym(RTLD_DEFAULT, "__cxa_thread_atexit_impl"));
  return at_exit == nullptr ? 0 : at_exit(end, object, module);
}

// glibc 2.30
int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
  constexpr long kSecond = 1'000'000'000;
  timespec now{};
  timespec real{};
  ::clock_gettime(clock, &now);
  ::clock_gettime(CLOCK_REALTIME, &real);
  const long rest = until->tv_nsec - now.tv_nsec + real.tv_nsec + kSecond;  // above 0
  real.tv_sec += until->tv_sec - now.tv_sec - 1 + rest / kSecond;
  real.tv_nsec = rest % kSecond;
  return ::pthread_mutex_timedlock(mutex, &real);
}

int memfd_create(const char* name, unsigned flags) {  // glibc 2.27
  return static_cast<int>(::syscall(SYS_memfd_create, name, flags));
}

// glibc 2.28
int renameat2(int old_folder, const char* old_name, int folder, const char* name, unsigned flags) {
  return static_cast<int>(::syscall(SYS_renameat2, old_folder, old_name, folder, name, flags));
}

int getentropy(void* buffer, std::size_t size) {  // glibc 2.25
  const int file = ::open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  const ssize_t got = ::read(file, buffer, size);
  ::close(file);
  return got == static_cast<ssize_t>(size) ? 0 : -1;
}

std::uint32_t arc4random() {  // glibc 2.36
  std::uint32_t number = 0;
  if (getentropy(&number, sizeof(number)) != 0) std::abort();
  return number;
}
}
