// The error rows of a run, in a file beside its output, which has the other rows. Until the run is
// finished, they are in FILE.rows, each with the number of rows of the output before it. A run that
// was killed goes on after the last row of the output and the error rows up to there.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/output.h"
#include "rows/origin.h"

namespace headlight {

class ErrorRows {
 public:
  /// Throws Error as OutputFile, or if FILE.rows belongs to somebody else. `good`: rows of the
  /// output that a stopped run left; its error rows up to there are kept. Without, there are none.
  ErrorRows(const std::string& path, bool force, std::size_t good);
  /// Syncs the rows to the disk.
  ~ErrorRows();
  ErrorRows(const ErrorRows&) = delete;
  ErrorRows& operator=(const ErrorRows&) = delete;

  /// The rows of the finished file, which are so many, become those of an earlier run.
  void extend(std::size_t rows);
  /// The rows of an earlier run.
  std::size_t earlier() const { return earlier_; }
  /// Adds a row that `good` rows of the output come before.
  void add(std::size_t good, std::string_view row) { put(good, 1, row); }
  /// Must be called before the next row of the output is written.
  void sync();
  /// Writes the file, with its fingerprint (fingerprint.h). `header`: of a table.
  void finish(std::string_view header, const Origin& made);
  /// Whether a row here is the last one of all, `good` of which are in the output.
  bool ends_after(std::size_t good) const { return last_good_ == good; }
  /// Whether FILE.rows has rows: the run that wrote FILE did not finish its output.
  static bool has_rows(const std::string& path);
  /// Deletes FILE.rows beside a finished file, where a killed run left it.
  static void remove_leftover(const std::string& path);
  /// Deletes FILE.rows, once the output is finished too.
  void remove_rows();

 private:
  void put(std::size_t good, std::size_t rows, std::string_view bytes);
  void keep_rows(std::size_t good);

  std::string path_;
  std::string rows_path_;
  OutputFile file_;
  int descriptor_;
  std::unique_ptr<Output> rows_;
  std::size_t earlier_ = 0;
  std::optional<std::size_t> last_good_;  // rows of the output before the last row here
  bool is_synced_ = true;
};

}  // namespace headlight
