#include "base/placing.h"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/output.h"

namespace headlight {
namespace {

constexpr int kEverybodyReads = 0644;

/// Locks the open file `path`. Returns false if another run has just renamed or removed it.
bool lock(int descriptor, const std::string& path) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    throw Error(path, "cannot be locked: " + system_message(errno));
  }
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

int open_to_write(const std::string& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CREAT | O_CLOEXEC, kEverybodyReads);
  if (descriptor < 0) throw Error(path, "cannot write: " + system_message(errno));
  return descriptor;
}

/// Without this, a power failure can undo a rename. If a directory cannot be synced, nothing more
/// can be done.
void sync_directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
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

int open_alone(const std::string& path) {
  const int descriptor = open_to_write(path, O_RDWR);
  try {
    if (!lock(descriptor, path)) throw Error(path, "is being written by another run");
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  return descriptor;
}

void place_file(const std::string& written, const std::string& path) {
  if (std::rename(written.c_str(), path.c_str()) != 0) {
    throw Error(path, "cannot rename " + written + " to it: " + system_message(errno));
  }
  sync_directory_of(path);
}

void write_whole(const std::string& path, std::string_view bytes) {
  const std::string written = path + ".new";
  const int descriptor = open_to_write(written, O_WRONLY | O_TRUNC);
  try {
    Output output(descriptor, written);
    output.write(bytes);
    output.flush_to_disk();
    place_file(written, path);
  } catch (...) {
    ::close(descriptor);
    ::unlink(written.c_str());
    throw;
  }
  ::close(descriptor);
}

}  // namespace headlight
