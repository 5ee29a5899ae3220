#include "encoder/embedding.h"

#include <algorithm>
#include <vector>

#include "math/positions.h"

namespace headlight {
namespace {

/// The position of each token of a text, [n]. Here it is the index; families whose positions skip
/// pads compute it from the ids.
void positions_of(std::span<const TokenId> ids, std::vector<std::size_t>& positions) {
  positions.resize(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) positions[i] = i;
}

/// [P, d] with at least `count` rows; rows made once are kept.
ConstMatrix sinusoids(std::size_t count, std::size_t d, Scratch& scratch) {
  Matrix& table = scratch.sinusoid_table;
  if (table.cols != d) table.rows = 0;  // of another model
  if (count > table.rows) {
    table = scratch.sinusoids.shape(std::max(count, 2 * table.rows), d);
    for (std::size_t i = 0; i < table.rows; ++i) sinusoidal_position(i, table.row(i));
  }
  return table;
}

void add_row(std::span<const float> row, std::span<float> out) {
  for (std::size_t j = 0; j < out.size(); ++j) out[j] += row[j];
}

}  // namespace

void embed(const Description& model, const EmbeddingWeights& weights, const Batch& batch,
           Scratch& scratch, Matrix out) {
  const EmbeddingDescription& embedding = model.embedding;
  const std::span<float> looked_up = scratch.sublayer.shape(1, model.hidden_size).row(0);
  std::vector<std::size_t>& positions = scratch.positions;
  for (std::size_t text = 0; text < batch.texts(); ++text) {
    const std::size_t first = batch.starts()[text];
    const auto ids = batch.ids().subspan(first, batch.length(text));
    positions_of(ids, positions);
    ConstMatrix table;
    if (embedding.positions == PositionKind::sinusoidal) {
      table = sinusoids(ids.size(), model.hidden_size, scratch);
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::span<float> x = out.row(first + i);  // [d]
      weights.token.read(ids[i], x);
      for (float& value : x) value *= embedding.scale;
      if (embedding.positions == PositionKind::sinusoidal) add_row(table.row(positions[i]), x);
      if (embedding.positions == PositionKind::absolute) {
        weights.position.read(positions[i], looked_up);
        add_row(looked_up, x);
      }
      if (embedding.type_vocab_size > 0) {
        weights.token_type.read(batch.type_ids()[first + i], looked_up);
        add_row(looked_up, x);
      }
    }
  }
  if (weights.norm) layer_norm(*weights.norm, out, out);
}

}  // namespace headlight
