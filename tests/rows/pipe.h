// A pipe whose other end a test writes piece by piece.
#pragma once

#include <array>
#include <stdexcept>
#include <string_view>

#include <unistd.h>

namespace headlight {

class Pipe {
 public:
  Pipe() {
    if (::pipe(ends_.data()) != 0) throw std::runtime_error("no pipe");
  }
  explicit Pipe(std::string_view content) : Pipe() {
    write(content);
    close();
  }
  ~Pipe() {
    close();
    ::close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reader() const { return ends_[0]; }
  /// Waits where the pipe is full.
  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::write(ends_[1], bytes.data(), bytes.size());
      if (count < 0) throw std::runtime_error("cannot write to the pipe");
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  /// The end of the input.
  void close() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{};
};

}  // namespace headlight
