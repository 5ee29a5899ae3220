// Texts and labels of a call as the rows of a file, so that everything is read as the program reads
// it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "library/headlight.h"
#include "rows/row_reader.h"

namespace headlight {

/// `labels` [n] with "\n" between several; NULL for a text or a label is null in its row.
struct LabelledTexts {
  const hl_text* texts;
  const char* const* labels;
  std::size_t n;
  const float* weights = nullptr;  // [n]; nullptr: each row counts once
};

/// JSON lines in a file without a name.
class MemoryRows {
 public:
  /// `name` is what messages call the rows. Throws ArgumentError.
  MemoryRows(const LabelledTexts& rows, std::string name);
  ~MemoryRows();
  MemoryRows(const MemoryRows&) = delete;
  MemoryRows& operator=(const MemoryRows&) = delete;

  bool has_pairs() const { return has_pairs_; }
  /// Reads them from the beginning; one reader at a time.
  std::unique_ptr<RowReader> reader(bool has_pairs) const;

 private:
  std::string name_;
  int descriptor_ = -1;
  bool has_pairs_ = false;
};

}  // namespace headlight
