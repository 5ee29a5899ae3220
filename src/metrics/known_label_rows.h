// Rows with gold labels.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "metrics/gold.h"
#include "metrics/label_census.h"
#include "rows/row_sources.h"
#include "rows/row_spool.h"

namespace headlight {

/// Turns rows whose label cannot be read into error rows before anything is computed for them.
class KnownLabelRows : public RowSource {
 public:
  /// `rows` and `gold` must outlive it. `name` is the name of the input in errors.
  KnownLabelRows(RowSource& rows, const GoldReader& gold, std::string name)
      : rows_(rows), gold_(gold), census_(gold), name_(std::move(name)) {}

  /// Throws Error if the labels of the input are of another kind than the model's (LabelCensus).
  std::optional<Row> next() override;
  bool ready() override { return has_ahead_ || rows_.ready(); }

 private:
  std::optional<Row> read();
  /// Reads on, so that the message lists what the file has, and throws.
  [[noreturn]] void refuse();

  RowSource& rows_;
  const GoldReader& gold_;
  LabelCensus census_;
  std::string name_;
  RowSpool ahead_;  // read until a label was known
  bool has_ahead_ = false;
};

}  // namespace headlight
