#include "base/output.h"

#include <cerrno>
#include <cstdio>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

namespace headlight {
namespace {

constexpr std::size_t kBufferSize = std::size_t{64} * 1024;

enum class Target : std::uint8_t { absent, file, directory, special };

Target target_at(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return Target::absent;
  if (S_ISDIR(status.st_mode)) return Target::directory;
  return S_ISREG(status.st_mode) ? Target::file : Target::special;
}

void refuse(Target target, const std::string& path, bool force) {
  if (target == Target::directory) throw Error(path, "is a directory, expected a file to write");
  if (target == Target::file && !force) throw Error(path, "exists already", "--force replaces it");
}

}  // namespace

Output::Output(int descriptor, std::string name)
    : descriptor_(descriptor), name_(std::move(name)) {}

void Output::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= kBufferSize) flush();
}

void Output::flush() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t count = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (count >= 0) {
      done += static_cast<std::size_t>(count);
    } else if (errno == EPIPE) {
      throw ClosedPipe{};
    } else if (errno != EINTR) {
      throw Error(name_, "cannot write: " + system_message(errno));
    }
  }
  buffer_.clear();
}

void Output::flush_to_disk() {
  flush();
  // Pipes, terminals and some devices cannot be synced, which is no failure.
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) {
    throw Error(name_, "cannot write: " + system_message(errno));
  }
}

OutputFile::OutputFile(std::string path, bool force, Unfinished unfinished)
    : path_(std::move(path)), unfinished_(unfinished) {
  const Target target = target_at(path_);
  refuse(target, path_, force);
  if (target != Target::special) {
    partial_ = path_ + ".partial";
    // One that is kept holds rows that were scored.
    if (unfinished_ == Unfinished::keep) refuse(target_at(partial_), partial_, force);
  }
  const std::string& opened = partial_.empty() ? path_ : partial_;
  constexpr int kEverybodyReads = 0644;
  descriptor_ = ::open(opened.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kEverybodyReads);
  if (descriptor_ < 0) throw Error(opened, "cannot write: " + system_message(errno));
  output_ = std::make_unique<Output>(descriptor_, opened);
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!partial_.empty() && unfinished_ == Unfinished::remove) ::unlink(partial_.c_str());
}

void OutputFile::finish() {
  output_->flush_to_disk();
  if (!partial_.empty() && std::rename(partial_.c_str(), path_.c_str()) != 0) {
    throw Error(path_, "cannot rename " + partial_ + " to it: " + system_message(errno));
  }
  ::close(std::exchange(descriptor_, -1));
}

}  // namespace headlight
