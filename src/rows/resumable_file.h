// A file of rows that a run which was stopped, killed or ran out of disk leaves behind as
// FILE.partial, and that the next one goes on with: the finished file is the same, byte for byte,
// as that of a run which never stopped.
//
// A file that is compressed (.gz, .zst) is a chain of members, each of the rows that made it
// kMemberSize or more, so that where one ends depends on the rows alone. What is written before a
// member is full can be lost with a killed run; a stopped one closes it early, and the next one
// writes it anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/compression.h"
#include "base/output.h"
#include "rows/origin.h"
#include "rows/whole_rows.h"

namespace headlight {

/// What is done about rows, or a whole file, that stand there already.
enum class Earlier : std::uint8_t { refuse, resume, replace };

class ResumableFile {
 public:
  static constexpr std::size_t kMemberSize = std::size_t{1} << 20U;  // bytes of rows

  /// Throws Error where the file cannot be made, where one stands there and `earlier` says refuse,
  /// where the rows there have another origin, or where another run is writing it. Pipes and
  /// devices are written directly.
  ResumableFile(std::string path, Earlier earlier, const Origin& origin, const RowShape& shape);
  /// Hands over what is in hand, as far as that is possible.
  ~ResumableFile();
  ResumableFile(const ResumableFile&) = delete;
  ResumableFile& operator=(const ResumableFile&) = delete;

  /// A whole file stands there and is to be resumed: there is nothing to do, and nothing to call.
  bool is_finished() const { return descriptor_ < 0; }
  /// Whether a run that is stopped now can be gone on with.
  bool can_be_resumed() const { return !partial_.empty(); }
  /// The rows that are in the file already.
  const WholeRows& there() const { return there_; }

  /// Takes one row, or a header and the first. Throws Error or ClosedPipe.
  void write(std::string_view row);
  /// Hands on what may be handed on.
  void flush();
  /// Writes all that is in hand, for a run that ends here and may be gone on with.
  void hand_over();
  /// Puts the whole file in its place.
  void finish();

 private:
  bool stands_finished(Earlier earlier) const;
  void open(Earlier earlier);
  void start_over(const Origin& origin);
  void check_origin(const Origin& origin) const;
  void go_on(const Origin& origin, const RowShape& shape);
  void find_rows(WholeRowFinder& finder);
  void find_compressed_rows(WholeRowFinder& finder);
  void seek(std::uint64_t place) const;
  void cut(std::uint64_t size) const;
  void write_member();
  void cut_tail();
  /// After a failure nothing more is written.
  template <typename Action>
  void guard(const Action& action);
  std::string manifest() const { return partial_ + ".json"; }

  std::string path_;
  std::string partial_;  // empty: written directly
  Compression compression_;
  int descriptor_ = -1;
  std::unique_ptr<Output> output_;
  WholeRows there_;
  std::string member_;         // rows of a compressed file that make no full member yet
  std::uint64_t members_ = 0;  // bytes of the file that are full members
  bool tail_ = false;          // a member that was closed early, or damage, stands after those
  bool failed_ = false;
  bool begun_ = false;  // something is in the file, or in hand
};

}  // namespace headlight
