#include "encoder/position_vectors.h"

#include <span>

#include "math/positions.h"

namespace headlight {

std::vector<float> position_vectors(const Description& model, const EmbeddingWeights& weights,
                                    std::size_t n) {
  const EmbeddingDescription& embedding = model.embedding;
  std::vector<float> vectors(n * embedding.size);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = std::span(vectors).subspan(i * embedding.size, embedding.size);
    if (embedding.positions == PositionKind::sinusoidal) {
      sinusoidal_position(i, row);
    } else {
      weights.position.read(embedding.first_position() + i, row);
    }
  }
  return vectors;
}

std::vector<float> mask_matrix(const HeadsDescription& heads, std::size_t n) {
  std::vector<float> seen(n * n, 1.0F);
  const std::size_t window = heads.window.value_or(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const bool later = heads.mask == AttentionMask::causal && j > i;
      if (later || j > i + window || i > j + window) seen[i * n + j] = 0.0F;
    }
  }
  return seen;
}

}  // namespace headlight
