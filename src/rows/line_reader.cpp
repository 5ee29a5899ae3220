#include "rows/line_reader.h"

#include <array>
#include <cerrno>
#include <utility>

#include <poll.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"

namespace headlight {
namespace {

constexpr std::size_t kReadSize = std::size_t{64} * 1024;
constexpr int kForever = -1;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

LineReader::LineReader(int descriptor, std::string name)
    : descriptor_(descriptor), name_(std::move(name)) {}

bool LineReader::wait(int milliseconds) const {
  std::array<pollfd, 2> waiting = {{{descriptor_, POLLIN, 0}, {stop_descriptor(), POLLIN, 0}}};
  const int ready = ::poll(waiting.data(), waiting.size(), milliseconds);
  return ready > 0 && waiting[0].revents != 0;
}

void LineReader::read_more() {
  buffer_.erase(0, begin_);
  searched_ = buffer_.size();
  begin_ = 0;
  const std::size_t size = buffer_.size();
  buffer_.resize(size + kReadSize);
  const ssize_t count = ::read(descriptor_, buffer_.data() + size, kReadSize);
  const int reason = errno;
  buffer_.resize(size + (count > 0 ? static_cast<std::size_t>(count) : 0));
  if (count == 0) at_end_ = true;
  if (count < 0 && reason != EINTR && reason != EAGAIN) {
    throw Error(name_, "cannot read: " + system_message(reason));
  }
  if (at_start_ && buffer_.starts_with(kByteOrderMark)) begin_ = kByteOrderMark.size();
  // A mark may arrive in pieces; a pipe that gives so few bytes is asked again before any line.
  if (buffer_.size() >= kByteOrderMark.size() || at_end_) at_start_ = false;
}

bool LineReader::ready() {
  constexpr int kNow = 0;
  while (!has_line() && buffer_.size() - begin_ <= kLongestLine && wait(kNow)) read_more();
  return has_line();
}

void LineReader::take_line(std::size_t end, std::string& line) {
  const std::size_t stop = end > begin_ && buffer_[end - 1] == '\r' ? end - 1 : end;
  line.assign(buffer_, begin_, stop - begin_);
  begin_ = end + 1;
  searched_ = begin_;
  at_start_ = false;
}

LineReader::Status LineReader::next(std::string& line) {
  bool too_long = false;
  while (true) {
    if (stop_requested()) return Status::end;
    const std::size_t end = buffer_.find('\n', searched_);
    if (end != std::string::npos) {
      too_long = too_long || end - begin_ > kLongestLine;
      take_line(end, line);
      return too_long ? Status::too_long : Status::line;
    }
    if (at_end_) {
      const bool empty = begin_ >= buffer_.size();
      if (empty && !too_long) return Status::end;
      line.assign(buffer_, begin_);
      buffer_.clear();
      begin_ = searched_ = 0;
      return too_long ? Status::too_long : Status::line;
    }
    if (buffer_.size() - begin_ > kLongestLine) {
      too_long = true;
      begin_ = buffer_.size();
    }
    if (wait(kForever)) read_more();
  }
}

}  // namespace headlight
