#include "encoder/position_tables.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "encoder/scratch.h"
#include "math/positions.h"

namespace headlight {
namespace {

std::size_t longest_text(const Batch& batch) {
  std::size_t longest = 1;
  for (std::size_t text = 0; text < batch.texts(); ++text) {
    longest = std::max(longest, batch.length(text));
  }
  return longest;
}

/// [m, 2p]
Matrix cosines_and_sines(const std::vector<float>& frequencies, std::size_t first_position,
                         std::size_t m, Buffer& memory) {
  const std::size_t pairs = frequencies.size();
  const Matrix table = memory.shape(m, 2 * pairs);
  for (std::size_t i = 0; i < m; ++i) {
    const auto position = static_cast<float>(first_position + i);
    const auto row = table.row(i);
    for (std::size_t k = 0; k < pairs; ++k) {
      // The product is rounded to float32, as in the reference.
      const double angle = position * frequencies[k];
      row[k] = static_cast<float>(std::cos(angle));
      row[pairs + k] = static_cast<float>(std::sin(angle));
    }
  }
  return table;
}

/// [h, 2n - 1]
Matrix bias_by_distance(ConstMatrix table, const DistanceBuckets& buckets, std::size_t n,
                        Buffer& memory) {
  const Matrix bias = memory.shape(table.cols, 2 * n - 1);
  for (std::size_t column = 0; column < bias.cols; ++column) {
    const auto distance = static_cast<std::ptrdiff_t>(column) - static_cast<std::ptrdiff_t>(n - 1);
    const auto of_heads = table.row(buckets.of(distance));  // [h]
    for (std::size_t k = 0; k < bias.rows; ++k) bias.row(k)[column] = of_heads[k];
  }
  return bias;
}

/// The number of the relative embedding for a distance i - j, one of 2s.
std::uint32_t relative_column(const RelativeAttention& relative, std::ptrdiff_t distance) {
  const auto span = static_cast<std::ptrdiff_t>(relative.span);
  if (relative.farthest) distance = logarithmic_bucket(distance, relative.span, *relative.farthest);
  return static_cast<std::uint32_t>(std::clamp<std::ptrdiff_t>(distance + span, 0, 2 * span - 1));
}

}  // namespace

PositionTables position_tables(const Description& model, std::span<const ConstMatrix> biases,
                               const Batch& batch, Scratch& scratch) {
  const std::size_t longest = longest_text(batch);
  const std::size_t n = batch.first_position() + longest;
  if (scratch.rotary_memory.size() < model.rotary.size()) {
    scratch.rotary_memory.resize(model.rotary.size());
  }
  scratch.rotary_tables.clear();
  for (std::size_t kind = 0; kind < model.rotary.size(); ++kind) {
    scratch.rotary_tables.push_back(cosines_and_sines(model.rotary[kind].frequencies,
                                                      batch.first_position(), longest,
                                                      scratch.rotary_memory[kind]));
  }
  scratch.relative_columns.clear();
  const auto farthest = static_cast<std::ptrdiff_t>(n - 1);
  for (auto distance = farthest; model.relative_attention && distance >= -farthest; --distance) {
    scratch.relative_columns.push_back(relative_column(*model.relative_attention, distance));
  }
  if (scratch.bias_memory.size() < biases.size()) scratch.bias_memory.resize(biases.size());
  scratch.relative_biases.clear();
  for (std::size_t i = 0; i < biases.size(); ++i) {
    scratch.relative_biases.push_back(
        bias_by_distance(biases[i], model.relative_biases[i].buckets, n, scratch.bias_memory[i]));
  }
  return {scratch.rotary_tables, scratch.relative_biases, scratch.relative_columns};
}

}  // namespace headlight
