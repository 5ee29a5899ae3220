// The bytes of scored rows in a file.
#pragma once

#include <cstddef>
#include <string>

#include "rows/row_reader.h"

namespace headlight {

/// What stands around the rows. By default nothing. A serializer also has a function row(), the
/// bytes of a row with its result; in text, they end with a newline.
class RowSerializer {
 public:
  RowSerializer() = default;
  RowSerializer(const RowSerializer&) = delete;
  RowSerializer& operator=(const RowSerializer&) = delete;
  virtual ~RowSerializer() = default;

  /// Before the first row.
  virtual std::string header() const { return ""; }
  /// After the last row.
  virtual std::string ending() const { return ""; }
  /// The whole output for an input without rows.
  virtual std::string without_rows(const RowReader& /*input*/) { return header(); }
  /// Replaces header() in a complete file of this many rows; empty: header() stays.
  virtual std::string final_header(std::size_t /*rows*/) const { return ""; }
};

}  // namespace headlight
