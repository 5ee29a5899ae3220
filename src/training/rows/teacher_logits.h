// The logits of a teacher in the rows, as `headlight batch --logits` writes them: in JSONL an
// object with a number for each label, in a table a column for each label.
#pragma once

#include <string>
#include <vector>

#include "rows/row.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

/// The logits of a row as JSON: the field, or an object of the columns FIELD.LABEL, where the field
/// "logits" also stands for columns named logit.LABEL. The row must have all its fields. Throws
/// TextError if it has none of these.
std::string spelled_teacher_logits(const Row& row, const std::string& field);

/// The logits by label. Throws TextError if a label is missing or unknown, or if a logit is not a
/// finite number.
std::vector<float> teacher_logits_of(const std::string& spelled, const LabelNames& labels);

}  // namespace headlight
