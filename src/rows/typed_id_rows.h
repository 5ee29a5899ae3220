// Rows whose texts are token ids.
#pragma once

#include <optional>

#include "rows/row_source.h"

namespace headlight {

/// Reads the text of each row as token ids (text/typed_ids.h). What is wrong with them becomes the
/// error of the row; rows that have an error already keep it.
class TypedIdRows : public RowSource {
 public:
  /// `rows` must outlive it.
  explicit TypedIdRows(RowSource& rows) : rows_(rows) {}

  std::optional<Row> next() override;
  bool ready() override { return rows_.ready(); }

 private:
  RowSource& rows_;
};

}  // namespace headlight
