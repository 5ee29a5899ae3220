// What a check of labels found: a file of rows to correct, and a summary as text and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rows/row_reading.h"
#include "training/labels/label_check.h"

namespace headlight {

struct DoubtfulLayout {
  RowFormat format = RowFormat::jsonl;  // not text
  std::optional<std::string> null;      // written to empty cells
  std::string id = "id";                // the input's name of the id
  std::string prefix;                   // of the names of our fields
  bool has_label = true;                // the input's label is in a field of this name
};

/// The doubtful rows: their own fields, the number of the row as "id" unless it has an id, then
/// given, suggested, probability_given, probability_suggested, and as duplicate_of the id of the
/// near-duplicate, then what `fit --apply` needs (corrections.h): an empty `label` for a person to
/// fill, unless the input's is named so, and the row; neither if another field is named so. Several
/// labels are a JSON array, as fit reads it. A table has the `columns` of the input, then the
/// fields that only some rows have. Throws TextError with the name of a field of the input that is
/// named like one of ours.
std::string doubtful_rows(const LabelCheck& check, std::vector<std::string> columns,
                          const DoubtfulLayout& layout);

std::string label_check_json(const LabelCheck& check);
std::string label_check_text(const LabelCheck& check);

}  // namespace headlight
