// The rows of a file for a writer that may keep their columns.
#pragma once

#include <optional>
#include <string>

#include "report/predictions/row_writer.h"
#include "row_options.h"
#include "rows/row_source.h"

namespace headlight {

/// The writer takes the columns with the first row. A row that does not fit them is an error.
class KeptColumnRows : public RowSource {
 public:
  /// Both must outlive it.
  KeptColumnRows(OpenRows& rows, RowWriter& writer) : rows_(rows), writer_(writer) {}

  /// Throws UsageError if a column is called like one of ours.
  std::optional<Row> next() override;
  bool ready() override { return rows_.ready(); }

 private:
  void take_columns(const Row& first);

  OpenRows& rows_;
  RowWriter& writer_;
  bool begun_ = false;
};

/// What is written for a file without rows: its header, if it has one.
std::string header_alone(const OpenRows& rows, RowWriter& writer);

}  // namespace headlight
