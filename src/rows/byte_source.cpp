#include "rows/byte_source.h"

#include <array>
#include <cerrno>
#include <utility>

#include <poll.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "base/interrupt.h"
#include "rows/binary_input.h"

namespace headlight {
namespace {

constexpr std::size_t kPiece = std::size_t{64} * 1024;

}  // namespace

ByteSource::ByteSource(int descriptor, std::string name, Compression compression)
    : descriptor_(descriptor), name_(std::move(name)) {
  guard_input(descriptor_, name_);
  if (compression != Compression::none) decompressor_.emplace(compression, name_);
}

bool ByteSource::wait(int milliseconds) const {
  if (more_inside_ || !undelivered_.empty()) return true;
  std::array<pollfd, 2> waiting = {{{descriptor_, POLLIN, 0}, {stop_descriptor(), POLLIN, 0}}};
  const int ready = ::poll(waiting.data(), waiting.size(), milliseconds);
  return ready > 0 && waiting[0].revents != 0;
}

bool ByteSource::read(std::string& bytes) {
  const std::size_t before = bytes.size();
  const bool more = decompressor_ ? read_compressed(bytes) : read_piece(bytes);
  check_beginning(std::string_view(bytes).substr(before));
  return more;
}

/// The beginning may arrive in pieces. A piece is checked before any of its rows is returned.
void ByteSource::check_beginning(std::string_view added) {
  if (beginning_.size() >= kComparedBytes || added.empty()) return;
  beginning_ += added.substr(0, kComparedBytes - beginning_.size());
  if (const auto kind = binary_kind(beginning_)) {
    throw Error(name_, "looks like " + kind->what, kind->hint);
  }
}

bool ByteSource::read_piece(std::string& bytes) {
  const std::size_t size = bytes.size();
  bytes.resize(size + kPiece);
  const ssize_t count = ::read(descriptor_, bytes.data() + size, kPiece);
  const int reason = errno;
  const std::size_t added = count > 0 ? static_cast<std::size_t>(count) : 0;
  bytes.resize(size + added);
  position_ += added;
  if (count < 0 && reason != EINTR && reason != EAGAIN) {
    throw Error(name_, "cannot read: " + system_message(reason));
  }
  return count != 0;
}

bool ByteSource::read_compressed(std::string& bytes) {
  if (!more_inside_ && undelivered_.empty()) {
    compressed_.clear();
    if (!read_piece(compressed_)) {
      decompressor_->finish();
      return false;
    }
    undelivered_ = compressed_;
  }
  const std::size_t size = bytes.size();
  bytes.resize(size + kPiece);
  const std::size_t made = decompressor_->read(undelivered_, {bytes.data() + size, kPiece});
  bytes.resize(size + made);
  more_inside_ = made == kPiece;
  return true;
}

}  // namespace headlight
