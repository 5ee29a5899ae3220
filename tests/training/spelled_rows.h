// Rows of texts and labels, as if read from a file.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "training/rows/training_data.h"

namespace headlight {

using Spelled = std::vector<std::pair<std::string, std::string>>;  // text and label

inline SpelledRows rows_of(const Spelled& spelled) {
  SpelledRows rows;
  rows.file = "rows.csv";
  for (const auto& [text, label] : spelled) {
    LabelledRow row;
    row.number = row.order = rows.read++;
    row.line = row.number + 2;
    row.input.text = text;
    row.key = std::hash<std::string>()(text);
    rows.rows.push_back({row, label, {}});
  }
  return rows;
}

}  // namespace headlight
