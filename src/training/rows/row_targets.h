// What the rows of a file teach: labels, which the file itself names, and the logits of a teacher,
// as `headlight batch --logits` writes them.
#pragma once

#include <string>
#include <vector>

#include "metrics/gold.h"
#include "rows/row.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

/// The labels of a classifier for rows whose labels are spelled so. Unless `is_single`, it is a
/// multi-label model if most spell a list, some of them with a name, or at least two rows, and one
/// in a hundred, spell two or more: a single one among more than ten rows is a mistake. Names are
/// sorted: by value if all are integers, else by code point.
LabelSet name_labels(const std::vector<std::string>& spelled, bool is_single = false);

/// What a row with this label teaches. Throws TextError for a value that is not a number and,
/// unless `keeps_unknown`, for a label that is not among the names, such as a list where one label
/// is needed.
Gold target_of(const std::string& spelled, const GoldReader& reader, bool keeps_unknown = false);

/// The teacher's logits of a row as JSON: the field, or an object of the columns FIELD.LABEL, where
/// the field "logits" also stands for columns named logit.LABEL. The row must have all its fields.
/// Throws TextError if it has none of these.
std::string spelled_teacher_logits(const Row& row, const std::string& field);

/// The logits by label. Throws TextError if a label is missing or unknown, or if a logit is not a
/// finite number.
std::vector<float> teacher_logits_of(const std::string& spelled, const LabelSet& labels);

}  // namespace headlight
