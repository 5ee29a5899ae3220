// Options of a run over a file of rows: its output and how to resume it, which errors stop it, and
// its summary.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "options/options.h"
#include "options/row_options.h"
#include "rows/origin.h"
#include "rows/resumable_file.h"
#include "terminal/progress.h"

namespace headlight {

/// Marks of the files that a model was read from. They are made on first use, because that reads
/// all files.
class ModelMarks {
 public:
  explicit ModelMarks(const Model& model) : files_(model.files) {}
  const Origin::Facts& get() const;

 private:
  std::vector<std::string> files_;
  mutable std::optional<Origin::Facts> marks_;
};

/// All given options with Effect::result, with their values as typed. Files are compared by
/// content, not by name.
Origin::Facts given_options(const CLI::App& command);

/// Adds --resume and --accept-build. `output` is what a run completes: FILE or DIR.
void add_resume(CLI::App& command, const std::string& output, bool& resume, bool& accepts_build);

/// Destination of scored rows: standard output, or the file of -o.
class RowResult {
 public:
  RowResult() : standard_(STDOUT_FILENO, "standard output") {}
  /// `made` is the origin of the finished file, without its rows.
  RowResult(std::unique_ptr<ResumableFile> file, Origin made)
      : standard_(STDOUT_FILENO, "standard output"),
        file_(std::move(file)),
        made_(std::move(made)) {}

  bool is_standard() const { return !file_; }
  /// Whether the file is already complete.
  bool is_finished() const { return file_ && file_->is_finished(); }
  WholeRows there() const { return file_ ? file_->there() : WholeRows{}; }
  /// How to continue a stopped run; empty if it cannot be continued.
  std::string way_on() const;

  void write(std::string_view row);
  void flush();
  /// Writes all buffered rows before the run stops.
  void hand_over();
  /// Replaces the first bytes of a complete file, unless `header` is empty.
  void replace_header(std::string_view header);
  /// `rows`: all that were read.
  void finish(const RowReader& rows);

 private:
  Output standard_;
  std::unique_ptr<ResumableFile> file_;
  Origin made_;
};

/// --resume
class ResumeOptions {
 public:
  void add_to(CLI::App& command);
  /// What determines the rows besides the model and the options.
  struct Source {
    const RowOptions& options;
    OpenRows& rows;          // read to the end if the output is finished
    std::string arithmetic;  // Engine::arithmetic()
  };
  /// Throws the errors of ResumableFile and of check_finished().
  RowResult open(const OutputOptions& output, RowFinder& finder, const ModelMarks& marks,
                 const Source& source) const;

 private:
  const CLI::App* command_ = nullptr;
  bool resume_ = false;
  bool accepts_build_ = false;
};

/// --on-error, --max-errors, --row-errors-ok
class ErrorOptions {
 public:
  void add_to(CLI::App& command);
  /// Why the run must stop before `row`; empty if it continues.
  std::string reason_to_stop(const ErrorCount& so_far, const ScoredRow& row) const;
  /// Throws Error if the finished run has too many errors.
  void check(const ErrorCount& all, const std::string& way_on) const;
  int status(const ErrorCount& all) const { return errors_ok_ ? 0 : all.status(); }

 private:
  bool too_many(std::size_t errors, std::size_t rows) const;

  enum class AtError : std::uint8_t { go_on, stop };

  AtError on_error_ = AtError::go_on;
  std::string most_;
  bool errors_ok_ = false;
};

/// How summaries in JSON begin.
inline constexpr std::string_view kJsonSummary = "{\"rows\":";
/// Throws Error if the file is an input or another output of this run, or, without --force, if it
/// exists and does not begin with `begin`, as an earlier summary does.
void check_summary(const std::string& path, std::string_view begin, const OutputOptions& output);
/// Throws Error if the file cannot be written.
void write_summary(const std::string& path, const std::string& text);

/// --summary
class SummaryOptions {
 public:
  void add_to(CLI::App& command);
  struct Run {
    const ErrorCount& count;
    bool finished;
    double seconds;
    const Model& model;
    const ModelMarks& marks;
  };
  void check(const OutputOptions& output) const;
  void write(const Run& run) const;

 private:
  std::string path_;
};

struct RunOptions {
  ResumeOptions resume;
  ErrorOptions errors;
  ProgressOptions progress;
  SummaryOptions summary;

  void add_to(CLI::App& command);
};

}  // namespace headlight
