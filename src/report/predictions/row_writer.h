// Scored rows as lines of JSONL, CSV or TSV.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/predictions/prediction_table.h"
#include "rows/row_reading.h"
#include "rows/scoring.h"

namespace headlight {

struct RowLayout {
  RowFormat format = RowFormat::jsonl;  // not text
  bool ascii = false;
  bool header = true;               // of a table
  std::optional<std::string> null;  // what stands in a table's cell where nothing applies
  std::optional<std::string> id;    // the input's name for it; nothing: none is written
  bool text = false;                // the text, and a pair's second one
  bool pair = false;                // a table has a column for the second one
  bool keep = false;                // the input's fields come first, those of ours follow
  PredictionView view;
};

class RowWriter {
 public:
  /// `labels` must outlive it.
  RowWriter(const LabelSet& labels, RowLayout layout);

  /// Takes the input's columns, where they are kept: those of the table, or of the first row. Gives
  /// the name of one that is called like one of ours.
  std::optional<std::string> take_columns(const std::vector<std::string>& kept);
  /// Whether a table that keeps columns has none to name.
  bool lacks_columns(const std::vector<std::string>& kept) const {
    return layout_.keep && is_table(layout_.format) && kept.empty();
  }
  /// Why a row's fields cannot be kept; empty where they can.
  std::string complaint(const Row& row) const;

  /// A table's first line; empty where there is none.
  std::string header() const;
  std::string line(const ScoredRow& row) const;

 private:
  bool is_kept_id(const std::string& name) const;
  bool writes_id(const Row& row) const;
  std::vector<std::string> own_columns() const;
  bool is_ours(const std::string& name) const;
  std::string object(const ScoredRow& scored) const;
  std::vector<Cell> cells(const ScoredRow& scored) const;
  std::string table_line(const std::vector<Cell>& cells) const;

  const LabelSet& labels_;
  RowLayout layout_;
  PredictionTable predictions_;
  std::vector<std::string> kept_;  // the columns of the input
};

}  // namespace headlight
