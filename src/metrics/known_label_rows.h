// Rows with gold labels.
#pragma once

#include <optional>

#include "metrics/gold.h"
#include "rows/row_source.h"

namespace headlight {

/// Turns rows with an unknown label into error rows before anything is computed for them.
class KnownLabelRows : public RowSource {
 public:
  /// Both must outlive it.
  KnownLabelRows(RowSource& rows, const GoldReader& gold) : rows_(rows), gold_(gold) {}

  std::optional<Row> next() override;
  bool ready() override { return rows_.ready(); }

 private:
  RowSource& rows_;
  const GoldReader& gold_;
};

}  // namespace headlight
