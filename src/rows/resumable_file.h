// A file of rows that can be resumed. A run that is stopped, killed or runs out of disk space
// leaves FILE.partial, and the next run continues it. The finished file has the same bytes as the
// file of an uninterrupted run.
//
// A compressed file (.gz, .zst) is a sequence of members. A member ends when it has at least
// kMemberSize bytes of rows, so its end depends only on the rows. A killed run can lose the rows of
// a member that is not full. A stopped run closes it early, and the next run writes it again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/compression.h"
#include "base/output.h"
#include "base/placing.h"
#include "rows/origin.h"
#include "rows/whole_rows.h"

namespace headlight {

/// What to do if the file, or rows of a stopped run, already exist. append: as resume, but beside a
/// finished file, rows of a stopped run with another origin do not count.
enum class Earlier : std::uint8_t { refuse, resume, replace, append };

class ResumableFile {
 public:
  static constexpr std::size_t kMemberSize = std::size_t{1} << 20U;  // bytes of rows

  /// Standard output, which cannot be resumed.
  ResumableFile();
  /// Throws Error if the file cannot be created, if it or a file that it needs on the way exists
  /// and `earlier` is refuse, if it is an input (base/file_guard.h), if its rows have another
  /// origin, or if another run is writing it.
  /// `finder` finds the rows of a stopped run.
  /// Pipes and devices are written directly.
  ResumableFile(std::string path, Earlier earlier, const Origin& origin, RowFinder& finder);
  /// Writes the buffered rows if possible.
  ~ResumableFile();
  ResumableFile(const ResumableFile&) = delete;
  ResumableFile& operator=(const ResumableFile&) = delete;

  /// Whether the file to resume is already complete. Then no function but extend() may be called.
  bool is_finished() const { return descriptor_ < 0; }
  /// The rows of the finished file become those of an earlier run. It stays until finish().
  void extend(RowFinder& finder);
  /// Must follow extend(). From now on, the run can be resumed.
  void describe(const Origin& origin) const;
  /// The rows of the finished file become those of an earlier run, and nothing else happens.
  void count_finished(RowFinder& finder);
  /// A run that is stopped leaves nothing.
  void keep_whole_only() { keeps_rows_ = false; }
  /// Whether a run that is stopped now can be resumed.
  bool can_be_resumed() const { return !partial_.empty(); }
  /// How to continue a stopped run; empty if it cannot be continued.
  std::string how_to_continue() const {
    return can_be_resumed() && keeps_rows_ ? "use --resume to continue" : "";
  }
  bool is_standard() const { return path_.empty(); }
  /// The rows of an earlier run.
  const WholeRows& earlier_rows() const { return earlier_rows_; }

  /// Writes one row, or a header and the first row. Throws Error or ClosedPipe.
  void write(std::string_view row);
  /// Passes complete output to the system. Rows of a compressed member that is not full stay in
  /// memory.
  void flush();
  /// Writes all buffered rows before the run ends unfinished; or deletes all.
  void write_buffered();
  /// Replaces the first bytes of a regular file without compression.
  void write_beginning(std::string_view bytes);
  /// Renames the complete file to its final name, unless another program created a file there in
  /// the meantime: then throws Error. `made` becomes its fingerprint (fingerprint.h).
  void finish(const Origin* made = nullptr);

 private:
  bool is_complete_already(Earlier earlier, const Origin& origin) const;
  bool continues(const Origin& origin) const;
  std::string new_manifest() const { return manifest() + ".new"; }
  void open(Earlier earlier);
  void close();
  void refuse_foreign_manifest(Earlier earlier) const;
  void remove_manifest() const;
  void start_over(const Origin& origin);
  void copy_finished();
  void check_origin(const Origin& origin) const;
  void resume(const Origin& origin, RowFinder& finder);
  void take_rows(RowFinder& finder);
  void go_on() const;
  void find_rows(RowFinder& finder);
  void find_compressed_rows(RowFinder& finder);
  void seek(std::uint64_t place) const;
  void cut(std::uint64_t size) const;
  void write_member();
  void cut_tail();
  /// Runs `action`. After a failure, nothing more is written.
  template <typename Action>
  void guard(const Action& action);
  std::string manifest() const { return partial_ + ".json"; }

  std::string path_;        // empty: standard output
  std::string partial_;     // empty: written directly
  bool keeps_rows_ = true;  // of a stopped run
  Compression compression_ = Compression::none;
  bool replaces_ = false;  // a file that was there before
  int descriptor_ = -1;
  std::unique_ptr<Output> output_;
  WholeRows earlier_rows_;
  std::string member_;         // rows of a compressed member that is not full yet
  std::uint64_t members_ = 0;  // bytes of the file in full members
  bool tail_ = false;          // a member that was closed early, or damage, follows these
  bool failed_ = false;
  bool begun_ = false;  // something is in the file or buffered
};

}  // namespace headlight
