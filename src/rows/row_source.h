// Provides rows.
#pragma once

#include <optional>

#include "rows/row.h"

namespace headlight {

class RowSource {
 public:
  virtual ~RowSource() = default;

  /// The next row, or nullopt after the last. Waits for it. Throws Error if the input cannot be
  /// read.
  virtual std::optional<Row> next() = 0;
  /// Whether next() would return without waiting.
  virtual bool ready() = 0;
};

}  // namespace headlight
