// The options of commands that read a file of rows: which file, which of its fields, which rows.
#pragma once

#include <memory>
#include <string>

#include "options.h"
#include "rows/row_reader.h"

namespace headlight {

/// A file of rows that is being read.
class OpenRows;

/// FILE, --input-format, --text, --pair-text, --id, --label, --no-header, --null, --prepend,
/// --skip,
/// --limit, --shard
class RowOptions {
 public:
  void add_to(CLI::App& command);
  /// For rows that say what they should be given.
  void add_label_to(CLI::App& command);

  const std::string& file() const { return file_; }
  RowFormat format() const;
  const RowFields& fields() const { return reading_.fields; }
  const std::optional<std::string>& null() const { return reading_.null; }
  /// Throws UsageError where options do not go with the format; `writes_table`: the output has
  /// cells too.
  void check(bool writes_table = false) const;
  std::shared_ptr<OpenRows> open(const Console& console, bool keep = false) const;

 private:
  std::string file_ = "-";
  std::string input_format_ = "auto";
  bool no_header_ = false;
  std::string shard_;
  RowReading reading_;
};

class OpenRows {
 public:
  OpenRows(const std::string& file, const RowReading& reading);
  ~OpenRows();
  OpenRows(const OpenRows&) = delete;
  OpenRows& operator=(const OpenRows&) = delete;

  int descriptor() const { return descriptor_; }
  RowReader& reader() { return reader_; }

 private:
  int descriptor_;
  RowReader reader_;
};

/// The rows as they come; holds them open.
RowSupply supply_of(const std::shared_ptr<OpenRows>& rows);

}  // namespace headlight
