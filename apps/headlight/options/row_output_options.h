// Options for the fields that batch writes for each row.
#pragma once

#include <optional>
#include <string>

#include "options/label_map.h"
#include "options/options.h"
#include "options/row_options.h"
#include "report/predictions/row_writer.h"
#include "rows/row_sources.h"

namespace headlight {

/// --logits, --probabilities, --echo-text, --keep, --file-field, --column-prefix,
/// --no-output-header, --label-map
class RowOutputOptions {
 public:
  void add_to(CLI::App& command);
  bool keeps() const { return keep_; }
  bool names_files() const { return file_field_.has_value(); }
  /// The labels by their names in the output. Throws UsageError if the format cannot write them.
  LabelSet labels(LabelSet own, OutputFormat format) const;
  RowLayout layout(const RowOptions& rows, const OutputOptions& output, PredictionView view) const;
  /// Throws UsageError if --file-field has the name of another output column.
  void refuse_clash(const RowWriter& writer) const;

 private:
  bool logits_ = false;
  bool probabilities_ = false;
  bool echo_text_ = false;
  bool keep_ = false;
  bool no_header_ = false;
  std::optional<std::string> file_field_;
  std::string prefix_;
  LabelNames names_;
};

/// Rows whose input columns are kept in the output (--keep).
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
