// Rows that say what they should be given.
#pragma once

#include <optional>

#include "metrics/gold.h"
#include "rows/row_source.h"

namespace headlight {

/// A row whose label nobody knows is an error, before anything is computed for it.
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
