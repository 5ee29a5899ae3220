// Options that several commands share. Each group is declared once and converted for the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/output.h"
#include "base/utf8.h"
#include "model/model.h"
#include "report/formats/terminal_colours.h"
#include "report/predictions/prediction_report.h"
#include "rows/row_reading.h"
#include "rows/row_sources.h"

namespace headlight {

/// An error of the command line that the parser does not detect: exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class OutputOptions;

/// Value of --color and --progress.
enum class When : std::uint8_t { automatic, always, never };

/// -q, -v, and --color of commands whose text output has colours
class Console {
 public:
  void add_to(CLI::App& command);
  void add_color_to(CLI::App& command);
  /// Writes one line to standard error, unless --quiet was given.
  void note(const std::string& line) const;
  /// Writes one line to standard error if --verbose was given.
  void detail(const std::string& line) const;
  bool is_verbose() const { return verbose_; }
  bool is_quiet() const { return quiet_; }
  /// Whether to use colours on standard output.
  bool color() const;
  /// Whether to use colours in a result; in a file only with --color always.
  bool color(const OutputOptions& output) const;
  /// How, if color(output): see terminal_background.h. A terminal that is not written to is not
  /// asked.
  TerminalColours terminal_colours(const OutputOptions& output) const;
  /// Width of the output: COLUMNS, else the width of the terminal, else 80; at least 40.
  static std::size_t columns();

 private:
  bool quiet_ = false;
  bool verbose_ = false;
  When color_ = When::automatic;
};

/// Completes an option that takes auto, always or never.
CLI::Option* when(CLI::Option* option, When& value);

/// Validators for the parser. Their messages name what was found and what was expected.
CLI::Validator whole_number(std::uint64_t low, std::uint64_t high);
CLI::Validator number(double low, double high);
CLI::Validator fraction();
CLI::Validator not_empty();
/// Accepts what `parse` makes something of, which `expected` describes.
template <typename Parse>
CLI::Validator readable_by(Parse parse, const std::string& expected) {
  const auto check = [=](const std::string& text) {
    return parse(text) ? "" : "found \"" + shortened(text) + "\", expected " + expected;
  };
  return {check, ""};
}

/// Writes one line to standard error with control characters escaped.
void complain(const std::string& line);

/// -m, --weights
class ModelOptions {
 public:
  /// `preset` is the name of a bundled model.
  explicit ModelOptions(std::string preset = "sentiment")
      : preset_(std::move(preset)), model_(preset_) {}
  void add_to(CLI::App& command);
  /// `looks_closely`, or --verbose: also reads files that serve only to find contradictions.
  Model load(const Console& console, bool looks_closely = false) const;
  /// Whether no model was given and the bundled one is not installed.
  bool is_missing_preset() const;
  /// The files of the model, which are not read. Throws Error if there is none.
  ModelPlace place() const { return locate_model(model_, weights_); }
  /// " -m MODEL --weights FILE" as given, for a shell; empty for the preset.
  std::string again() const;
  /// Loads a model that another option names.
  static Model load_other(const std::string& name, const Console& console);

 private:
  /// Reports the notes and warnings of a model.
  static Model announced(Model model, const Console& console, bool looks_closely);

  std::string preset_;
  std::string model_;
  std::string weights_;
};

/// -k, --threshold, --logits
class ViewOptions {
 public:
  void add_to(CLI::App& command);
  /// Adds the option for logits in text output; other formats always have them.
  void add_logits_to(CLI::App& command);
  bool logits() const { return logits_; }
  /// Throws UsageError for --threshold if there are no probabilities.
  PredictionView view(const LabelSet& labels) const;

 private:
  std::optional<std::size_t> top_k_;
  std::optional<float> threshold_;
  bool logits_ = false;
};

/// Values of --format, of which each command supports some. automatic: the command decides.
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

/// The word for it on the command line.
const char* name_of(OutputFormat format);
/// `name` must be the name of a format.
OutputFormat format_named(std::string_view name);

/// --format, -o, --force, --ascii
class OutputOptions {
 public:
  /// The first of `formats` is the default if the ending of -o selects none. The parser throws
  /// UsageError if the ending contradicts --format, or if binary output would go to a terminal.
  void add_to(CLI::App& command, const std::vector<OutputFormat>& formats);

  /// The header of this format is written last, so it needs a file without compression. Throws
  /// UsageError in the parser otherwise.
  void complete_last(OutputFormat format) { completed_last_ = format; }

  OutputFormat format() const { return format_; }
  bool ascii() const { return ascii_; }
  const std::string& path() const { return path_; }
  bool force() const { return force_; }

 private:
  void add_file_to(CLI::App& command);
  void settle();
  void check_completed_last() const;

  std::vector<OutputFormat> formats_;
  OutputFormat format_ = OutputFormat::text;
  bool format_given_ = false;
  std::optional<OutputFormat> completed_last_;
  std::string path_;
  bool force_ = false;
  bool ascii_ = false;
};

/// JSONL for all formats other than CSV and TSV.
RowFormat table_format(OutputFormat format);

/// Destination of a command's result: standard output, or the file of -o.
class Result {
 public:
  explicit Result(const OutputOptions& options);
  Output& output() { return file_ ? file_->output() : standard_; }
  /// Must be called after everything is written.
  void finish();

 private:
  Output standard_;
  std::unique_ptr<OutputFile> file_;
};

/// Counts truncated texts and errors and reports them at the end.
class ErrorCount {
 public:
  void add(const Row& row, const TextResult& result);
  /// Adds the rows of an earlier run.
  void add_earlier(std::size_t rows, std::size_t errors);
  std::size_t rows() const { return rows_; }
  std::size_t errors() const { return errors_; }
  std::size_t truncated() const { return truncated_; }
  std::size_t tokens() const { return tokens_; }
  /// Rows of an earlier run.
  std::size_t resumed() const { return resumed_; }
  /// Reports the number of truncated texts, and of errors with the first error. `thing` is "text",
  /// "row" or "word".
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

/// Writes a note if input is read from a terminal.
void say_if_terminal(int descriptor, const Console& console);

}  // namespace headlight
