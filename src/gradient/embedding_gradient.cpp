#include <vector>

#include "encoder/embedding.h"
#include "gradient/steps.h"

namespace headlight {
namespace {

// Columns of the tables that one thread adds to.
constexpr std::size_t kColumns = 64;

/// The rows of the tables that each token reads.
struct TokenRows {
  std::vector<std::size_t> positions;  // empty: there are no absolute positions
  std::vector<std::size_t> types;      // empty: there are no types
};

TokenRows token_rows(const BackwardPass& pass) {
  const EmbeddingDescription& embedding = pass.model.embedding;
  TokenRows rows;
  std::vector<std::size_t> positions;
  for (std::size_t text = 0; text < pass.batch.texts(); ++text) {
    if (embedding.positions != PositionKind::absolute) break;
    positions_of(embedding, 0, pass.batch.ids_of(text), positions);
    rows.positions.insert(rows.positions.end(), positions.begin(), positions.end());
  }
  const bool several = embedding.type_vocab_size > 1;
  for (std::size_t i = 0; embedding.type_vocab_size > 0 && i < pass.batch.tokens(); ++i) {
    rows.types.push_back(several ? pass.batch.type_ids()[i] : 0);
  }
  return rows;
}

/// Adds the gradient dx [n, e] of the sums of embeddings to those of the tables.
void tables_gradient(const BackwardPass& pass, ConstMatrix dx) {
  const EmbeddingWeights& weights = pass.weights.embeddings;
  const TokenRows rows = token_rows(pass);
  const Matrix token = pass.gradients.of(weights.token);
  const auto add_scaled = [](float scale, std::span<const float> from, std::span<float> to) {
    for (std::size_t j = 0; j < to.size(); ++j) to[j] += scale * from[j];
  };
  share_work((dx.cols + kColumns - 1) / kColumns, [&](std::size_t block) {
    const std::size_t first = block * kColumns;
    const std::size_t count = std::min(kColumns, dx.cols - first);
    for (std::size_t i = 0; i < dx.rows; ++i) {
      const auto dx_row = dx.row(i).subspan(first, count);
      const auto of_token = token.row(pass.batch.ids()[i]).subspan(first, count);
      add_scaled(pass.model.embedding.scale, dx_row, of_token);
      if (!rows.positions.empty()) {
        const Matrix position = pass.gradients.of(weights.position);
        add_scaled(1.0F, dx_row, position.row(rows.positions[i]).subspan(first, count));
      }
      if (!rows.types.empty()) {
        const Matrix type = pass.gradients.of(weights.token_type);
        add_scaled(1.0F, dx_row, type.row(rows.types[i]).subspan(first, count));
      }
    }
  });
}

}  // namespace

void embedding_gradient(const BackwardPass& pass, Matrix dx) {
  if (!pass.gradients.wanted()) return;
  const BackwardMemory::Frame frame(pass.memory);
  const EmbeddingWeights& weights = pass.weights.embeddings;
  const ConstMatrix unnormed = pass.tape.values[Moment::embedding_unnormed];
  const bool norm_last = weights.projection && pass.model.embedding.projection_first;
  pass.tape.drop(Moment::embedded, 0, {pass.batch, {}}, dx);
  if (weights.norm && norm_last) norm_gradient(pass, *weights.norm, unnormed, dx, dx);
  if (weights.projection) {
    const Matrix dsum = pass.memory.take(dx.rows, weights.projection->in());
    linear_gradient(pass, *weights.projection, pass.tape.values[Moment::embedding_projected], dx,
                    dsum);
    dx = dsum;
  }
  if (weights.norm && !norm_last) norm_gradient(pass, *weights.norm, unnormed, dx, dx);
  tables_gradient(pass, dx);
}

}  // namespace headlight
