// Options of commands that read a file of rows: the file, its fields, and which rows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "options/options.h"
#include "rows/origin.h"
#include "rows/row_reader.h"

namespace headlight {

/// What options need of a file of rows.
inline constexpr Fact kReadsTable{"CSV or TSV input"};
inline constexpr Fact kReadsOrWritesTable{"CSV or TSV input or output"};
inline constexpr Fact kReadsCsv{"CSV input"};
inline constexpr Fact kReadsFields{"input with fields", /*is_listed=*/false};

/// FILE..., --input-format, --delimiter, --escape, --text, --pair-text, --id, --label, --no-header,
/// --null, --missing, --prepend, --skip, --limit, --shard
class RowOptions {
 public:
  void add_to(CLI::App& command);
  /// Adds --input in place of FILE.
  CLI::Option* add_input_to(CLI::App& command);
  /// Adds the options other than the file.
  void add_reading_to(CLI::App& command);
  /// Rows have a query in place of a second text. Must be called first.
  void ask_queries() { has_queries_ = true; }
  /// Whether there is a file; always with add_to().
  bool has_input() const { return !files_.front().empty(); }
  /// Adds --label, for rows with a true label.
  void add_label_to(CLI::App& command);
  /// The same for rows to learn from, where a missing text is an error.
  void add_training_label_to(CLI::App& command) {
    reading_.missing_is_error = true;
    add_label_to(command);
  }

  /// What messages call the input; "-" for standard input alone.
  std::string file() const { return files_.size() == 1 ? files_[0] : name_of_files(files_); }
  const std::vector<std::string>& files() const { return files_; }
  /// marks_of_input() of each file; `by_name`: also their names.
  Origin::Facts marks(bool by_name) const;
  RowFormat format() const;
  const RowFields& fields() const { return reading_.fields; }
  const std::optional<std::string>& null() const { return reading_.null; }
  /// Throws UsageError if an option does not apply to the format of the input, or if the files have
  /// different formats. `writes_table`: the output is CSV or TSV.
  void check(bool writes_table = false) const;
  /// Throws UsageError for text lines, which have no labels. Those of standard input may have some,
  /// so open() looks.
  void require_labels() const {
    if (!may_begin_with_label()) require_labels(format());
  }
  /// `keep`: the rows contain all their fields. `names_files`: and the name of their file.
  std::unique_ptr<RowReader> open(const Console& console, bool keep = false,
                                  bool names_files = false) const;
  /// The same options for all rows of another file. Its format is that of its ending, if that says
  /// one.
  RowOptions of_file(const std::string& file) const;
  /// The same options, also for which rows are read, for another file in place of --input.
  RowOptions in_file(const std::string& file) const;
  /// The same with a query in each row, and its label in this field.
  RowOptions of_queries(const std::string& file, const std::string& label) const;
  /// A file of `headlight check` for rows with these options (corrections.h).
  RowOptions of_checked(const std::string& file) const;
  /// The same options for rows that need no label.
  RowOptions without_labels() const;
  /// Rows with entities or tags (RowReading::tagged). Throws UsageError unless they are JSONL.
  std::unique_ptr<RowReader> open_tagged(const Console& console) const;

 private:
  RowFormat format_of(const std::string& file) const;
  bool may_begin_with_label() const;
  void require_labels(RowFormat read) const;
  std::unique_ptr<RowReader> open(RowReading reading, const Console& console) const;

  const CLI::App* command_ = nullptr;
  std::vector<std::string> files_ = {"-"};
  bool has_queries_ = false;
  std::optional<RowFormat> input_format_;  // empty: by the ending of the file's name
  std::optional<char> delimiter_;
  std::optional<char> escape_;
  bool no_header_ = false;
  std::string shard_;
  std::string label_names_;
  RowReading reading_;
};

}  // namespace headlight
