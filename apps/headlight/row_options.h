// Which file of rows `batch` and `evaluate` read, and which of its fields are what.
#pragma once

#include <string>

#include "options.h"
#include "rows/row_reader.h"

namespace headlight {

/// FILE, --input-format, --text, --pair-text, --id
class RowOptions {
 public:
  void add_to(CLI::App& command);
  /// --label
  void add_label_to(CLI::App& command);

  const std::string& file() const { return file_; }
  RowFormat format() const;
  /// Throws UsageError for names of fields where there are none.
  void check() const;
  /// The rows, with the file open as long as they are.
  RowSupply rows(const Console& console) const;

 private:
  std::string file_ = "-";
  std::string input_format_ = "auto";
  RowFields fields_;
};

}  // namespace headlight
