#include "base/placing.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/output.h"

namespace headlight {
namespace {

constexpr int kEverybodyReads = 0644;
constexpr const char* kUnfinished = "user.headlight.unfinished";

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

/// Locks the open file `path`. Returns false if another run has just renamed or removed it.
bool lock(int descriptor, const std::string& path) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    throw Error(path, "cannot be locked: " + system_message(errno));
  }
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

int open_to_write(const std::string& path, int flags) {
  const int descriptor =
      ::open(path.c_str(), flags | O_CREAT | O_NOFOLLOW | O_CLOEXEC, kEverybodyReads);
  if (descriptor < 0 && errno == ELOOP) {
    throw Error(path, "is a symbolic link, expected a file of this program", "delete it");
  }
  if (descriptor < 0) throw Error(path, "cannot write: " + system_message(errno));
  return descriptor;
}

/// Closes the descriptor if it throws.
void lock_alone(int descriptor, const std::string& path) {
  try {
    if (!lock(descriptor, path)) throw Error(path, "is being written by another run");
  } catch (...) {
    ::close(descriptor);
    throw;
  }
}

/// Deletes what killed runs of write_whole() left beside `path`.
void delete_leftovers(const std::string& path) {
  const std::filesystem::path place(path);
  const std::string begin = place.filename().string() + ".new";
  std::error_code failed;
  const auto folder = place.has_parent_path() ? place.parent_path() : std::filesystem::path(".");
  for (std::filesystem::directory_iterator file(folder, failed), end; !failed && file != end;
       file.increment(failed)) {
    const std::string left = file->path().string();
    if (!file->path().filename().string().starts_with(begin)) continue;
    const int descriptor = ::open(left.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    struct stat status {};
    const bool is_empty = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                          status.st_size == 0;  // killed before it was marked
    const bool is_left = is_empty || ::fgetxattr(descriptor, kUnfinished, nullptr, 0) >= 0;
    if (is_left && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(left.c_str());
    ::close(descriptor);
  }
}

/// The first unused name beside `path`, opened and locked.
int open_unused(const std::string& path, std::string& name) {
  constexpr int kAttempts = 1000;
  const std::string begin = path + ".new" + std::to_string(::getpid());
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    name = attempt == 0 ? begin : begin + '-' + std::to_string(attempt);
    const int descriptor =
        ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kEverybodyReads);
    if (descriptor >= 0) {
      ::flock(descriptor, LOCK_EX | LOCK_NB);
      mark_unfinished(descriptor, true);
      return descriptor;
    }
    if (errno != EEXIST) break;
  }
  throw Error(name, "cannot write: " + system_message(errno));
}

/// Without this, a power failure can undo a rename. If a directory cannot be synced, nothing more
/// can be done.
void sync_directory_of(const std::string& path) {
  const std::string directory = directory_of(path);
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

Target target_at(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return Target::absent;
  if (S_ISDIR(status.st_mode)) return Target::directory;
  return S_ISREG(status.st_mode) ? Target::file : Target::special;
}

bool is_named(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

std::string failure_to_write(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kEverybodyReads);
  if (descriptor < 0) return system_message(errno);
  ::close(descriptor);
  return "";
}

void refuse_folder_of(const std::string& path) {
  if (target_at(path) == Target::special) return;
  if (::access(directory_of(path).c_str(), W_OK | X_OK) == 0) return;
  throw Error(path, "cannot write: " + system_message(errno));
}

void mark_unfinished(int descriptor, bool is_unfinished) {
  is_unfinished ? ::fsetxattr(descriptor, kUnfinished, "", 0, 0)
                : ::fremovexattr(descriptor, kUnfinished);
}

int open_alone(const std::string& path, Leftover leftover) {
  const int descriptor = open_to_write(path, O_RDWR);
  lock_alone(descriptor, path);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    throw Error(path, "is not a regular file", "delete it");
  }
  const bool is_empty = status.st_size == 0;
  const bool is_shared = status.st_nlink > 1;  // another name leads to its bytes
  if (is_empty ? !is_shared : leftover == Leftover::keep) return descriptor;
  const bool is_known = ::fgetxattr(descriptor, kUnfinished, nullptr, 0) >= 0;
  if (!is_empty && leftover == Leftover::refuse && !is_known) {
    ::close(descriptor);
    throw Error(path, "exists already; a killed run may have left it", "--force replaces it");
  }
  ::unlink(path.c_str());
  const int fresh = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kEverybodyReads);
  const int reason = errno;
  ::close(descriptor);
  if (fresh < 0) throw Error(path, "cannot write: " + system_message(reason));
  lock_alone(fresh, path);
  return fresh;
}

void take_mode(int descriptor, const std::string& path) {
  constexpr mode_t kPermissions = 0777;
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  ::fchmod(descriptor, status.st_mode & kPermissions);
}

void place_file(const std::string& written, const std::string& path) {
  if (std::rename(written.c_str(), path.c_str()) != 0) {
    throw Error(path, "cannot rename " + written + " to it: " + system_message(errno));
  }
  sync_directory_of(path);
}

bool place_new_file(const std::string& written, const std::string& path) {
  const int renamed =
      ::renameat2(AT_FDCWD, written.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE);
  if (renamed != 0 && errno == EEXIST) return false;
  const bool unsupported = renamed != 0 && (errno == EINVAL || errno == ENOSYS);
  if (unsupported && is_named(path)) return false;
  if (unsupported) {
    place_file(written, path);
    return true;
  }
  if (renamed != 0) {
    throw Error(path, "cannot rename " + written + " to it: " + system_message(errno));
  }
  sync_directory_of(path);
  return true;
}

void place_directory(const std::string& written, const std::string& path) {
  if (!is_named(path)) return place_file(written, path);
  std::error_code ignored;
  const int exchanged =
      ::renameat2(AT_FDCWD, written.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE);
  if (exchanged == 0) {
    sync_directory_of(path);
    std::filesystem::remove_all(written, ignored);
    return;
  }
  if (errno != EINVAL && errno != ENOSYS) {
    throw Error(path, "cannot rename " + written + " to it: " + system_message(errno));
  }
  const std::string old = written + ".old";
  std::filesystem::remove_all(old, ignored);
  place_file(path, old);  // NOLINT(readability-suspicious-call-argument): sets the old one aside
  try {
    place_file(written, path);
  } catch (const Error&) {
    std::filesystem::rename(old, path, ignored);
    throw;
  }
  std::filesystem::remove_all(old, ignored);
}

void write_whole(const std::string& path, std::string_view bytes) {
  delete_leftovers(path);
  std::string written;
  const int descriptor = open_unused(path, written);
  try {
    take_mode(descriptor, path);
    Output output(descriptor, written);
    output.write(bytes);
    output.flush_to_disk();
    place_file(written, path);
    mark_unfinished(descriptor, false);
  } catch (...) {
    ::close(descriptor);
    ::unlink(written.c_str());
    throw;
  }
  ::close(descriptor);
}

}  // namespace headlight
