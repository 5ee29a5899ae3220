// Options of a run over a file of rows: its output and how to resume it, which errors stop it, and
// its summary.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "options/options.h"
#include "options/row_options.h"
#include "rows/error_rows.h"
#include "rows/fingerprint.h"
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

/// The large model of a cascade.
struct LargeModel {
  std::string name;        // empty: there is none
  float threshold = 0.0F;  // below it, the large model answers
  Origin::Facts facts;     // its hash and the threshold
};

/// All given options with Effect::result, with their values as typed. Files are compared by
/// content, not by name.
Origin::Facts given_options(const CLI::App& command);

/// Adds --resume and --accept-build. `output` is what a run completes: FILE or DIR.
void add_resume(CLI::App& command, const std::string& output, bool& resume, bool& accepts_build);

/// The output of a run, and the origin of the finished file, without its rows.
struct RowOutput {
  std::unique_ptr<ResumableFile> file;
  std::unique_ptr<ErrorRows> errors;  // nullptr: these are in the file too
  Origin made;
  std::size_t earlier_errors = 0;  // rows in the file of errors of earlier runs

  /// How many of these rows are in `file`.
  std::size_t rows_in_file(const ErrorCount& rows) const {
    return rows.rows() - (errors ? rows.errors() : 0);
  }
  /// What the fingerprint says of the rows that were read, which are so many.
  Origin::Facts marks_of(const RowReader& rows, const ErrorCount& count) const;
  /// Adds the rows of earlier runs.
  void add_earlier(ErrorCount& count) const;
  /// Writes a row to where it belongs; `header` before it if that is `file`.
  void write(const ErrorCount& before, bool is_error, const std::string& header,
             const std::string& row) const;
  /// `header`: of the file of errors.
  void finish(const std::string& header) const;
};

/// --resume, --append, --errors
class ResumeOptions {
 public:
  void add_to(CLI::App& command);
  /// Adds --append and --errors.
  void add_batch_to(CLI::App& command);
  /// What determines the rows besides the options.
  struct Source {
    const RowOptions& options;
    RowReader& rows;  // read to the end if the output is finished, or to the first appended row
    const ModelMarks& model;
    std::string arithmetic;  // Engine::arithmetic()
    const LargeModel& large;
  };
  /// Opens standard output, or the file of -o. Throws the errors of ResumableFile, and those of
  /// check_finished().
  RowOutput open(const OutputOptions& output, RowFinder& finder, const Source& source) const;

 private:
  const CLI::App* command_ = nullptr;
  bool resume_ = false;
  bool accepts_build_ = false;
  Appended appended_ = Appended::refuse;
  std::string errors_;  // a file; empty: none
};

/// --on-error, --max-errors, --row-errors-ok
class ErrorOptions {
 public:
  void add_to(CLI::App& command);
  /// Why the run must stop before `row`, which has this error; empty if it continues.
  std::string reason_to_stop(const ErrorCount& so_far, const Row& row,
                             const std::string& error) const;
  /// Throws Error with this hint if the finished run has too many errors.
  void check(const ErrorCount& all, const std::string& hint) const;
  int status(const ErrorCount& all) const { return errors_ok_ ? 0 : all.status(); }

 private:
  bool too_many(std::size_t errors, std::size_t rows) const;

  enum class AtError : std::uint8_t { continue_run, stop };

  AtError on_error_ = AtError::continue_run;
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

/// Of the predictions of a run that have probabilities.
struct PredictionSums {
  const LabelSet* labels = nullptr;  // without, nothing is added

  void add(const Prediction& prediction);
  /// "labels", "mean_confidence" and "mean_entropy"; nothing without rows.
  void write(JsonWriter& json) const;

 private:
  std::vector<std::size_t> counts_;  // [c] of the best labels
  std::size_t rows_ = 0;
  double confidence_ = 0.0;
  double entropy_ = 0.0;
};

/// --summary
class SummaryOptions {
 public:
  void add_to(CLI::App& command);
  struct Run {
    const ErrorCount& count;
    bool finished;
    double seconds;
    const std::array<std::string, 2>& models;  // the model, and the large one of a cascade
    const ModelMarks& marks;
    const PredictionSums& sums;
  };
  bool is_used() const { return !path_.empty(); }
  void check(const OutputOptions& output) const;
  void write(const Run& run) const;

 private:
  bool is_prometheus() const { return has_ending(path_, ".prom"); }

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
