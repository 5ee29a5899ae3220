// The result of a command: its format, and where it is written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/json_writer.h"
#include "base/output.h"
#include "rows/row_reading.h"

namespace headlight {

/// Values of --format, of which each command supports some. automatic: the command decides.
enum class OutputFormat : std::uint8_t {
  automatic,
  text,
  json,
  jsonl,
  csv,
  tsv,
  hf,
  fasttext,
  npy,
  npz,
  html,
  svg,
  rerank
};

/// The word for it on the command line.
const char* name_of(OutputFormat format);
/// `name` must be the name of a format.
OutputFormat format_named(std::string_view name);

/// The format that the ending of `path` selects, or the first of `formats` if it selects none.
/// Throws UsageError if it selects a format that is not one of `formats`, such as that of .parquet.
/// Other endings, such as .log, select none.
OutputFormat format_for(const std::string& path, const std::vector<OutputFormat>& formats,
                        const std::string& option = "-o");

/// A validator for an option that always writes `format`. It does not tell JSON from JSONL.
CLI::Validator ends_like(OutputFormat format);

/// Throws UsageError if `path`, or standard output if it is empty, is a terminal. `what` is the
/// output's format.
void refuse_terminal(const std::string& path, const std::string& what);

/// --format, -o, --force, --ascii
class OutputOptions {
 public:
  /// The first of `formats` is the default if the ending of -o selects none. The parser throws
  /// UsageError if the ending contradicts --format, or if binary output would go to a terminal.
  void add_to(CLI::App& command, const std::vector<OutputFormat>& formats);

  /// The header of this format is written last, so it needs a file without compression. Must be
  /// called after add_to().
  void complete_last(OutputFormat format);

  OutputFormat format() const { return format_; }
  bool ascii() const { return ascii_; }
  const std::string& path() const { return path_; }
  bool force() const { return force_; }

 private:
  void add_file_to(CLI::App& command);
  void settle();

  std::vector<OutputFormat> formats_;
  CLI::Option* format_option_ = nullptr;
  OutputFormat format_ = OutputFormat::text;
  bool format_given_ = false;
  std::optional<OutputFormat> completed_last_;
  std::string path_;
  bool force_ = false;
  bool ascii_ = false;
};

/// JSONL for all formats that have no rows of their own.
RowFormat table_format(OutputFormat format);

/// Destination of a command's result: standard output, or the file of -o. A document that is an
/// object of JSON gets the provenance of the run.
class Result {
 public:
  explicit Result(const OutputOptions& options);
  Output& output() { return file_ ? file_->output() : standard_; }
  /// Must be called after everything is written.
  void finish();

 private:
  const OutputOptions& options_;
  Output standard_;
  std::unique_ptr<OutputFile> file_;
};

/// Writes to standard output.
void print(const std::string& text);

/// Writes a whole result.
void write_result(const OutputOptions& options, const std::string& document);

}  // namespace headlight
