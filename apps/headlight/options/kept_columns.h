// Rows of a file whose input columns may be kept in the output (batch --keep).
#pragma once

#include <optional>
#include <string>

#include "options/row_options.h"
#include "report/predictions/row_writer.h"
#include "rows/row_sources.h"

namespace headlight {

/// The first row gives the writer its columns. A row that does not match them gets an error.
class KeptColumnRows : public RowSource {
 public:
  /// Both arguments must outlive it.
  KeptColumnRows(RowReader& rows, RowWriter& writer) : rows_(rows), writer_(writer) {}

  /// Throws UsageError if a column has the name of an output column.
  std::optional<Row> next() override;
  bool ready() override { return rows_.ready(); }

 private:
  void take_columns(const Row& first);

  RowReader& rows_;
  RowWriter& writer_;
  bool begun_ = false;
};

}  // namespace headlight
