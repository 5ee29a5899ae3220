#include "encoder/embedding.h"

#include <algorithm>
#include <vector>

#include "math/positions.h"

namespace headlight {
namespace {

/// [P, e] with at least `count` rows; computed rows are kept.
ConstMatrix sinusoids(std::size_t count, std::size_t e, Scratch& scratch) {
  Matrix& table = scratch.sinusoid_table;
  if (table.cols != e) table.rows = 0;  // belongs to another model
  if (count > table.rows) {
    table = scratch.sinusoids.shape(std::max(count, 2 * table.rows), e);
    for (std::size_t i = 0; i < table.rows; ++i) sinusoidal_position(i, table.row(i));
  }
  return table;
}

void add_row(std::span<const float> row, std::span<float> out) {
  for (std::size_t j = 0; j < out.size(); ++j) out[j] += row[j];
}

/// out [n, e]: the sum of the embeddings of each token.
void look_up(const EmbeddingDescription& embedding, const EmbeddingWeights& weights,
             const Pass& pass, Matrix out) {
  const Batch& batch = pass.batch;
  Scratch& scratch = pass.scratch;
  const std::span<float> looked_up = scratch.hidden.next.shape(1, out.cols).row(0);
  std::vector<std::size_t>& positions = scratch.positions;
  for (std::size_t text = 0; text < batch.texts(); ++text) {
    const std::size_t first = batch.starts()[text];
    const auto ids = batch.ids().subspan(first, batch.length(text));
    positions_of(embedding, batch.first_position(), ids, positions);
    ConstMatrix table;
    if (embedding.positions == PositionKind::sinusoidal) {
      table = sinusoids(batch.first_position() + ids.size(), out.cols, scratch);
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::span<float> x = out.row(first + i);  // [e]
      weights.token.read(ids[i], x);
      if (embedding.scale != 1.0F) {
        for (float& value : x) value *= embedding.scale;
      }
      if (embedding.positions == PositionKind::sinusoidal) add_row(table.row(positions[i]), x);
      if (embedding.positions == PositionKind::absolute) {
        weights.position.read(positions[i], looked_up);
        add_row(looked_up, x);
      }
      if (embedding.type_vocab_size > 0) {
        // Segments matter only if the model has more than one.
        const bool several = embedding.type_vocab_size > 1;
        weights.token_type.read(several ? batch.type_ids()[first + i] : 0, looked_up);
        add_row(looked_up, x);
      }
    }
  }
}

}  // namespace

void positions_of(const EmbeddingDescription& embedding, std::size_t before,
                  std::span<const TokenId> ids, std::vector<std::size_t>& positions) {
  positions.resize(ids.size());
  std::size_t next = embedding.first_position() + before;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    positions[i] = ids[i] == embedding.skipped_pad ? *embedding.skipped_pad : next++;
  }
}

Matrix embed(const Description& model, const EmbeddingWeights& weights, Pass& pass) {
  Scratch& scratch = pass.scratch;
  const std::size_t n = pass.batch.tokens();
  const std::size_t e = model.embedding.size;
  Buffer& hidden = scratch.hidden.current;
  Matrix x = pass.matrix(weights.projection ? scratch.embedded : hidden, n, e);  // [n, e]
  look_up(model.embedding, weights, pass, x);
  const bool norm_last = weights.projection && model.embedding.projection_first;
  if (weights.norm && !norm_last) x = pass.normed(*weights.norm, Moment::embedding_unnormed, x);
  if (weights.projection) {
    pass.note(Moment::embedding_projected, x);
    const Matrix projected = pass.matrix(hidden, n, model.hidden_size);  // [n, d]
    weights.projection->apply(x, projected);
    x = projected;
  }
  if (weights.norm && norm_last) x = pass.normed(*weights.norm, Moment::embedding_unnormed, x);
  pass.change(Moment::embedded, x);
  pass.note(Moment::embedded, x);
  return x;
}

}  // namespace headlight
