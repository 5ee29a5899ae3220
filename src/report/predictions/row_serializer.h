// The bytes of scored rows in a file.
#pragma once

#include <cstddef>
#include <string>

#include "rows/row_reader.h"
#include "rows/row_sink.h"

namespace headlight {

class RowSerializer {
 public:
  RowSerializer() = default;
  RowSerializer(const RowSerializer&) = delete;
  RowSerializer& operator=(const RowSerializer&) = delete;
  virtual ~RowSerializer() = default;

  /// What stands before the first row; empty if there is nothing.
  virtual std::string header() const = 0;
  /// The whole output for an input without rows.
  virtual std::string without_rows(const RowReader& input) = 0;
  /// The bytes of a row. In text, they end with a newline.
  virtual std::string row(const ScoredRow& scored) const = 0;
  /// Replaces header() in a complete file of this many rows; empty: header() stays.
  virtual std::string final_header(std::size_t rows) const = 0;
};

}  // namespace headlight
