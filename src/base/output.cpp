#include "base/output.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "base/interrupt.h"
#include "base/json_writer.h"
#include "base/placing.h"

namespace headlight {
namespace {

constexpr std::size_t kBufferSize = std::size_t{64} * 1024;
constexpr std::size_t kMemberSize = std::size_t{1024} * 1024;  // of a compressed file, before

/// As much as a writable pipe accepts without blocking (POSIX, PIPE_BUF); whole lines if possible.
std::string_view next_part(std::string_view bytes) {
  if (bytes.size() <= PIPE_BUF) return bytes;
  const std::size_t newline = bytes.rfind('\n', PIPE_BUF - 1);
  return bytes.substr(0, newline == std::string_view::npos ? PIPE_BUF : newline + 1);
}

void refuse(Target target, const std::string& path, bool force) {
  if (target == Target::directory) throw Error(path, "is a directory, expected a file to write");
  if (target == Target::file && !force) throw Error(path, "exists already", "--force replaces it");
}

}  // namespace

Output::Output(int descriptor, std::string name, Compression compression)
    : descriptor_(descriptor), name_(std::move(name)), compression_(compression) {}

void Output::write(std::string_view bytes) {
  if (first_ == '\0' && !bytes.empty()) first_ = bytes.front();
  buffer_ += bytes;
  const bool compressed = compression_ != Compression::none;
  if (buffer_.size() >= (compressed ? kMemberSize : kBufferSize)) pass_on();
}

void Output::hold_end() { held_ = kObjectEnd.size(); }

void Output::add_field(std::string_view field) {
  held_ = 0;
  if (first_ == '{') add_last_field(buffer_, field);
}

void Output::flush() {
  if (compression_ == Compression::none) pass_on();
}

bool Output::wait_for_reader() const {
  std::array<pollfd, 2> waiting = {{{descriptor_, POLLOUT, 0}, {stop_descriptor(), POLLIN, 0}}};
  constexpr int kForever = -1;
  constexpr int kLastChance = 300;  // milliseconds; a signal ends a run within a second
  if (!stop_requested()) ::poll(waiting.data(), waiting.size(), kForever);
  if (waiting[0].revents != 0 || !stop_requested()) return true;
  return ::poll(waiting.data(), 1, kLastChance) != 0;
}

void Output::pass_on() {
  begun_ = true;
  const std::string held = buffer_.substr(buffer_.size() - std::min(held_, buffer_.size()));
  buffer_.resize(buffer_.size() - held.size());
  if (compression_ != Compression::none) buffer_ = compressed_member(compression_, buffer_);
  std::size_t done = 0;
  while (done < buffer_.size()) {
    if (!wait_for_reader()) throw ClosedPipe{};
    const std::string_view part = next_part(std::string_view(buffer_).substr(done));
    const ssize_t count = ::write(descriptor_, part.data(), part.size());
    if (count >= 0) {
      done += static_cast<std::size_t>(count);
    } else if (errno == EPIPE && descriptor_ == STDOUT_FILENO) {
      throw ClosedPipe{};
    } else if (errno != EINTR && errno != EAGAIN) {
      throw Error(name_, "cannot write: " + system_message(errno));
    }
  }
  buffer_ = held;
}

void Output::flush_to_disk() {
  const bool compressed = compression_ != Compression::none;
  // Without any bytes, a compressed file still has one member.
  if (!compressed || !buffer_.empty() || !begun_) pass_on();
  // Pipes, terminals and some devices cannot be synced. This is not an error.
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) {
    throw Error(name_, "cannot write: " + system_message(errno));
  }
}

OutputFile::OutputFile(std::string path, bool force)
    : path_(std::move(path)), replaces_(is_named(path_)) {
  claim_output(path_, {".partial"});
  const Target target = target_at(path_);
  refuse(target, path_, force);
  refuse_folder_of(path_);
  if (target != Target::special) partial_ = path_ + ".partial";
  descriptor_ = partial_.empty()
                    ? ::open(path_.c_str(), O_WRONLY | O_CLOEXEC)
                    : open_alone(partial_, force ? Leftover::replace : Leftover::refuse);
  const std::string& opened = partial_.empty() ? path_ : partial_;
  if (descriptor_ < 0) throw Error(opened, "cannot write: " + system_message(errno));
  if (!partial_.empty()) {
    take_mode(descriptor_, path_);
    mark_unfinished(descriptor_, true);
    unfinished_ = std::make_unique<UnfinishedFile>(partial_);
  }
  output_ = std::make_unique<Output>(descriptor_, opened, compression_of(path_));
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  if (!partial_.empty()) ::unlink(partial_.c_str());
  ::close(descriptor_);
}

void OutputFile::finish() {
  output_->flush_to_disk();
  if (!partial_.empty() && replaces_) {
    place_file(partial_, path_);
  } else if (!partial_.empty() && !place_new_file(partial_, path_)) {
    const std::string kept = std::exchange(partial_, "");
    mark_unfinished(descriptor_, false);
    unfinished_.reset();
    throw Error(path_, "was created by another program during this run",
                "the result is in " + kept);
  }
  unfinished_.reset();
  if (!partial_.empty()) mark_unfinished(descriptor_, false);
  ::close(std::exchange(descriptor_, -1));
}

}  // namespace headlight
