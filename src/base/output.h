// Writes bytes to standard output, a pipe, a device or a file. Every failure is reported once.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/compression.h"
#include "base/unfinished_file.h"

namespace headlight {

/// Thrown if the reader of standard output closed the pipe, or if it does not read after a stop was
/// requested. Not an error: the run ends without a message.
struct ClosedPipe {};

/// Buffered output to a file descriptor. Not thread-safe.
class Output {
 public:
  /// `name` is the name of the output in errors. The caller owns the descriptor.
  Output(int descriptor, std::string name, Compression compression = Compression::none);

  /// Throws ClosedPipe, or Error such as Error{name, "No space left on device"}.
  void write(std::string_view bytes);
  /// Passes everything written so far to the system. Compressed output stays in memory until it
  /// fills a member.
  void flush();
  /// From now on, keeps the last bytes of what is written, until add_field().
  void hold_end();
  /// If the whole output is one object of JSON: adds a last field to it, such as `"a":1`.
  void add_field(std::string_view field);
  /// Passes everything on, syncs to the disk, and throws Error if that fails.
  void flush_to_disk();

 private:
  void pass_on();
  /// False if a stop was requested and the reader does not read.
  bool wait_for_reader() const;

  int descriptor_;
  std::string name_;
  Compression compression_;
  std::string buffer_;
  bool begun_ = false;    // something was passed on
  std::size_t held_ = 0;  // bytes that stay in the buffer
  char first_ = '\0';     // what was written first
};

/// A file that gets its name only when it is complete. Until finish() it is `path`.partial, which
/// is deleted if finish() is not called. A replaced file keeps its permissions. Pipes and devices
/// are written directly. A name that ends with .gz or .zst is compressed.
class OutputFile {
 public:
  /// Throws Error if the file cannot be created, if it or `path`.partial exists and `force` is
  /// false, if it is an input (file_guard.h), or if another run is writing it.
  OutputFile(std::string path, bool force);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  Output& output() { return *output_; }
  /// Flushes to the disk and renames the file. Throws Error. A file that another program created
  /// under this name in the meantime stays, and so does `path`.partial.
  void finish();

 private:
  std::string path_;
  std::string partial_;  // empty: written directly
  bool replaces_;        // a file that was there before
  int descriptor_ = -1;
  std::unique_ptr<UnfinishedFile> unfinished_;
  std::unique_ptr<Output> output_;
};

}  // namespace headlight
