// Writing bytes to standard output, a pipe, a device or a file, with every failure said once.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace headlight {

/// The reader of our output went away, or takes nothing while a stop was requested. Not an error:
/// the run ends quietly.
struct ClosedPipe {};

/// Buffered bytes on a file descriptor. Not for several threads at once.
class Output {
 public:
  /// `name` is what errors call it. The descriptor stays the caller's.
  Output(int descriptor, std::string name);

  /// Throws ClosedPipe, or Error{name, "No space left on device"} and the like.
  void write(std::string_view bytes);
  /// Hands everything written so far to the system.
  void flush();
  /// Everything handed over, and the descriptor's own last error said.
  void flush_to_disk();

 private:
  /// False where a stop was requested and the reader takes nothing.
  bool wait_for_reader() const;

  int descriptor_;
  std::string name_;
  std::string buffer_;
};

/// A file that appears under its name only once it is whole: until finish() it is `path`.partial,
/// which goes where that never comes. Pipes and devices are written directly.
class OutputFile {
 public:
  /// Throws Error where the file cannot be made, where one stands there and not `force`, or where
  /// another run is writing it.
  OutputFile(std::string path, bool force);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  Output& output() { return *output_; }
  /// Flushes to the disk and renames. Throws Error.
  void finish();

 private:
  std::string path_;
  std::string partial_;  // empty: written directly
  int descriptor_ = -1;
  std::unique_ptr<Output> output_;
};

}  // namespace headlight
