// Options that several commands share, each group declared once and turned into what the library
// wants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/output.h"
#include "model/model.h"
#include "report/predictions/prediction_report.h"
#include "rows/row_reading.h"
#include "rows/row_sink.h"
#include "rows/row_source.h"
#include "rows/rows_ahead.h"

namespace headlight {

/// The command line was wrong in a way that only shows when it is put together: status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class OutputOptions;

/// Of --color and --progress.
enum class When : std::uint8_t { automatic, always, never };

/// -q, -v, --color
class Console {
 public:
  void add_to(CLI::App& command);
  /// One line on standard error, unless --quiet.
  void note(const std::string& line) const;
  /// One line on standard error with --verbose.
  void detail(const std::string& line) const;
  bool is_verbose() const { return verbose_; }
  bool is_quiet() const { return quiet_; }
  /// Whether standard output may be coloured.
  bool color() const;
  /// Whether a result may be: in a file only where it was asked for.
  bool color(const OutputOptions& output) const;
  /// How wide the terminal is: COLUMNS, or what the terminal says, or 80; at least 40.
  static std::size_t columns();

 private:
  bool quiet_ = false;
  bool verbose_ = false;
  When color_ = When::automatic;
};

/// An option of color or progress: auto, always or never.
CLI::Option* when(CLI::Option* option, When& value);

/// Validators of the parser, with messages that name what was found and what was expected.
CLI::Validator whole_number(std::uint64_t low, std::uint64_t high);
CLI::Validator fraction();
CLI::Validator not_empty();

/// "1 row", "2 rows"
std::string counted(std::size_t count, const std::string& thing);

/// One line on standard error, control characters made harmless.
void complain(const std::string& line);

/// -m, --weights
class ModelOptions {
 public:
  void add_to(CLI::App& command);
  /// With `looks_closely`, or --verbose, files are read too that only say what contradicts what.
  Model load(const Console& console, bool looks_closely = false) const;
  /// One that another option names.
  static Model load_other(const std::string& name, const Console& console);

 private:
  /// Says what there is to say of a model.
  static Model announced(Model model, const Console& console, bool looks_closely);

  std::string model_ = "sentiment";
  std::string weights_;
};

/// -k, --threshold
class ViewOptions {
 public:
  void add_to(CLI::App& command);
  /// Throws UsageError where there are no probabilities to compare with a threshold.
  PredictionView view(const LabelSet& labels) const;

 private:
  std::optional<std::size_t> top_k_;
  std::optional<float> threshold_;
};

/// Of --format; each command has some of them. automatic: the command decides.
enum class OutputFormat : std::uint8_t {
  automatic,
  text,
  json,
  jsonl,
  csv,
  tsv,
  npy,
  npz,
  html,
  svg
};

/// The spelling that --format takes.
const char* name_of(OutputFormat format);
/// The format of this spelling, which must be one.
OutputFormat format_named(std::string_view name);

/// --format, -o, --force, --ascii
class OutputOptions {
 public:
  /// The first of `formats` is the default.
  void add_to(CLI::App& command, const std::vector<OutputFormat>& formats);
  /// -o, --force and --ascii without a choice of format.
  void add_file_to(CLI::App& command);

  OutputFormat format() const { return format_; }
  bool ascii() const { return ascii_; }
  const std::string& path() const { return path_; }
  bool force() const { return force_; }

 private:
  OutputFormat format_ = OutputFormat::text;
  std::string path_;
  bool force_ = false;
  bool ascii_ = false;
};

/// CSV, TSV, and JSONL for all others.
RowFormat table_format(OutputFormat format);

/// Where a command's result goes: standard output, or the file of -o.
class Result {
 public:
  explicit Result(const OutputOptions& options);
  Output& output() { return file_ ? file_->output() : standard_; }
  /// To be called once everything is written.
  void finish();

 private:
  Output standard_;
  std::unique_ptr<OutputFile> file_;
};

/// Counts what goes wrong with texts and says it at the end, the reason last.
class ErrorCount {
 public:
  void add(const ScoredRow& row);
  /// Rows of an earlier run, of which no more than this is known.
  void add_earlier(std::size_t rows, std::size_t errors);
  std::size_t rows() const { return rows_; }
  std::size_t errors() const { return errors_; }
  std::size_t truncated() const { return truncated_; }
  std::size_t tokens() const { return tokens_; }
  /// Those of an earlier run.
  std::size_t resumed() const { return resumed_; }
  /// Says cut texts, and errors with the first of them. `thing` is "text" or "row".
  void say(const Console& console, const std::string& thing) const;
  int status() const { return errors_ == 0 ? 0 : 3; }

 private:
  std::size_t rows_ = 0;
  std::size_t errors_ = 0;
  std::size_t truncated_ = 0;
  std::size_t tokens_ = 0;
  std::size_t resumed_ = 0;
  std::string first_error_;
};

/// Says on standard error that a terminal is being read from.
void say_if_terminal(int descriptor, const Console& console);

}  // namespace headlight
