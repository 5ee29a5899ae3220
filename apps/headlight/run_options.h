// How a run over a file of rows lives: where its rows go and how they are gone on with, which
// errors end it, and what it leaves for machines.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "options.h"
#include "progress.h"
#include "rows/origin.h"
#include "rows/resumable_file.h"

namespace headlight {

/// Marks of the files that a model was read from, made once, when they are first asked for: that
/// reads all of them.
class ModelMarks {
 public:
  explicit ModelMarks(const Model& model) : files_(model.files) {}
  const Origin::Facts& get() const;

 private:
  std::vector<std::string> files_;
  mutable std::optional<Origin::Facts> marks_;
};

/// Where scored rows go: standard output, or the file of -o.
class RowResult {
 public:
  RowResult() : standard_(STDOUT_FILENO, "standard output") {}
  explicit RowResult(std::unique_ptr<ResumableFile> file)
      : standard_(STDOUT_FILENO, "standard output"), file_(std::move(file)) {}

  /// The file is whole already.
  bool is_finished() const { return file_ && file_->is_finished(); }
  WholeRows there() const { return file_ ? file_->there() : WholeRows{}; }
  /// What to do after a run that was stopped; empty where nothing can be done.
  std::string way_on() const;

  void write(std::string_view row);
  void flush();
  /// For a run that ends here: writes all that is in hand.
  void hand_over();
  void finish();

 private:
  Output standard_;
  std::unique_ptr<ResumableFile> file_;
};

/// --resume
class ResumeOptions {
 public:
  /// To be called after OutputOptions::add_to.
  void add_to(CLI::App& command);
  /// What rows are made from, beside the model and the options.
  struct Source {
    std::string input;       // the rows' file, - for standard input
    std::string arithmetic;  // Engine::arithmetic()
  };
  /// Throws UsageError for --resume without -o, and Error as ResumableFile does.
  RowResult open(const OutputOptions& output, const RowShape& shape, const ModelMarks& marks,
                 const Source& source) const;

 private:
  const CLI::App* command_ = nullptr;
  bool resume_ = false;
};

/// --on-error, --max-errors, --row-errors-ok
class ErrorOptions {
 public:
  void add_to(CLI::App& command);
  /// Why a run that has `so_far` must end before `row`; empty: it goes on.
  std::string reason_to_stop(const ErrorCount& so_far, const ScoredRow& row) const;
  /// Throws Error where all rows have too many errors.
  void check(const ErrorCount& all, const std::string& way_on) const;
  int status(const ErrorCount& all) const { return errors_ok_ ? 0 : all.status(); }

 private:
  bool too_many(std::size_t errors, std::size_t rows) const;

  enum class AtError : std::uint8_t { go_on, stop };

  AtError on_error_ = AtError::go_on;
  std::string most_;
  bool errors_ok_ = false;
};

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
  /// Throws Error where it cannot be written.
  void write(const Run& run) const;

 private:
  std::string path_;
};

struct RunOptions {
  ResumeOptions resume;
  ErrorOptions errors;
  ProgressOptions progress;
  SummaryOptions summary;

  /// To be called after OutputOptions::add_to.
  void add_to(CLI::App& command);
};

}  // namespace headlight
