// The parts of each row that a model of n-grams pools, as rows of one table: the vectors of tokens,
// then those of n-grams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/description.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

class StaticRows {
 public:
  /// `model` has n-grams and no layers.
  StaticRows(const Description& model, const std::vector<LabelledRow>& rows);

  /// The parts of a row: ids, then vocab_size + bucket.
  std::span<const std::uint32_t> of_row(std::size_t row) const {
    return std::span(parts_).subspan(starts_[row], starts_[row + 1] - starts_[row]);
  }

 private:
  std::vector<std::uint32_t> parts_;
  std::vector<std::size_t> starts_{0};
};

}  // namespace headlight
