// Rows from text lines or JSONL.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rows/line_reader.h"
#include "rows/row.h"

namespace headlight {

enum class RowFormat : std::uint8_t { text, jsonl };

/// By the file's ending; text where it says nothing. Throws Error where it says a format that is
/// not read.
RowFormat row_format_of(const std::string& path);

/// Which fields of a JSONL row are what. Names that were not given are used where they exist.
struct RowFields {
  std::vector<std::string> text;  // several are joined with a blank; none: "text"
  std::optional<std::string> pair;
  std::optional<std::string> id;     // nothing: "id" where it exists, else the row's number
  std::optional<std::string> label;  // nothing: "label" where it exists
};

/// Every line gives a row; one that cannot be read gives a row with an error.
class RowReader {
 public:
  RowReader(LineReader& lines, RowFormat format, RowFields fields);

  /// The next row, or nothing at the end of the input. Waits for it.
  std::optional<Row> next();
  /// Whether next() would return without waiting.
  bool ready() { return lines_.ready(); }

 private:
  LineReader& lines_;
  RowFormat format_;
  RowFields fields_;
  std::size_t number_ = 0;
};

}  // namespace headlight
