// Scored rows as lines of text, JSONL, CSV or TSV, or as those of transformers' pipelines (hf).
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "report/predictions/prediction_report.h"
#include "report/predictions/row_serializer.h"
#include "rows/row_reading.h"
#include "rows/scoring.h"

namespace headlight {

/// Writes a field of the input as it was.
void write_kept(JsonWriter& json, const KeptField& field);

struct RowLayout {
  RowFormat format = RowFormat::jsonl;  // as text, a row has its prediction_line() alone
  bool color = false;                   // of text
  bool ascii = false;
  bool header = true;               // write a table's header
  std::optional<std::string> null;  // written to empty table cells; empty: an empty field
  std::optional<std::string> id;    // the input's name of the id; empty: no id is written
  std::optional<std::string> file;  // a field for the name of the row's file
  bool text = false;                // write the text, and the pair's second text
  bool pair = false;                // a table has a column for the second text
  bool keep = false;                // write the input's fields before ours
  PredictionView view;
};

class RowWriter : public RowSerializer {
 public:
  /// `labels` must outlive it.
  RowWriter(const LabelSet& labels, RowLayout layout);

  /// Whether RowLayout::file has the name of another output column.
  bool file_clashes() const;
  /// Sets the kept columns of the input: those of the table, or of the first row. Returns the name
  /// of a column that clashes with an output column, if there is one.
  std::optional<std::string> take_columns(const std::vector<std::string>& kept);
  /// Whether the output is a table that keeps columns and there are none.
  bool lacks_columns(const std::vector<std::string>& kept) const {
    return layout_.keep && is_table(layout_.format) && kept.empty();
  }
  /// What to do where a field of the input has the name of this output column.
  std::string way_out(const std::string& name) const;
  /// The reason why a row's fields cannot be kept; empty if they can.
  std::string complaint(const Row& row) const;

  /// The header line of a table; empty if there is none.
  std::string header() const override;
  std::string without_rows(const RowReader& input) override;
  std::string row(const ScoredRow<Prediction>& scored) const;

 private:
  bool is_kept_id(const std::string& name) const;
  bool writes_id(const Row& row) const;
  std::vector<std::string> own_columns() const;
  bool is_ours(const std::string& name) const;
  std::string object(const ScoredRow<Prediction>& scored) const;
  std::vector<Cell> cells(const ScoredRow<Prediction>& scored) const;
  std::string table_line(const std::vector<Cell>& cells) const;

  const LabelSet& labels_;
  RowLayout layout_;
  std::vector<std::string> kept_;                        // kept columns of the input
  std::unordered_map<std::string, std::size_t> places_;  // of the names in kept_
  std::unordered_set<std::string> ours_;                 // the output columns beside these
};

}  // namespace headlight
