#include "encoder/rotary.h"

#include <algorithm>
#include <cmath>

#include "math/functions.h"

namespace headlight {

std::span<const Matrix> rotary_turns(std::span<const Rotary> kinds, const Batch& batch,
                                     Scratch& scratch) {
  std::size_t longest = 0;
  for (std::size_t text = 0; text < batch.texts(); ++text) {
    longest = std::max(longest, batch.length(text));
  }
  if (scratch.turns.size() < kinds.size()) scratch.turns.resize(kinds.size());
  scratch.turn_tables.clear();
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const std::vector<float>& frequencies = kinds[kind].frequencies;
    const std::size_t pairs = frequencies.size();
    const Matrix turns = scratch.turns[kind].shape(longest, 2 * pairs);
    for (std::size_t i = 0; i < longest; ++i) {
      const auto position = static_cast<float>(batch.first_position() + i);
      const auto row = turns.row(i);
      for (std::size_t k = 0; k < pairs; ++k) {
        // The product is rounded to float32, as in the reference.
        const double angle = position * frequencies[k];
        row[k] = static_cast<float>(std::cos(angle));
        row[pairs + k] = static_cast<float>(std::sin(angle));
      }
    }
    scratch.turn_tables.push_back(turns);
  }
  return scratch.turn_tables;
}

void rotate_heads(const Rotary& kind, ConstMatrix turns, std::size_t e, Matrix x) {
  for (std::size_t first = 0; first < x.cols; first += e) {
    rotate(turns, kind.interleaved, x.column_range(first, e));
  }
}

}  // namespace headlight
