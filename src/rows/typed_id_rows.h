// Rows whose texts are token ids.
#pragma once

#include <optional>

#include "rows/row_source.h"

namespace headlight {

/// Reads the text of each row as token ids (text/typed_ids.h). If they are invalid, the row gets an
/// error. Rows that already have an error keep it.
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
