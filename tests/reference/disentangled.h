// Relative scores and the convolution of DeBERTa, from their formulas in float64:
// the reference's models/deberta_v2/modeling_deberta_v2.py, without its tables and gathers.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "reference/matrix.h"
#include "reference/tensors.h"

namespace headlight::reference {

struct RelativePositions {
  bool content_to_position = false;
  bool position_to_content = false;
  std::size_t span = 0;                 // 2 · span embeddings
  std::optional<std::size_t> farthest;  // max_relative_positions, where there are buckets
  bool shared = false;
  bool norm = false;
};

/// The row of the embeddings for a query at i and a key at j.
std::size_t relative_column(const RelativePositions& positions, std::size_t i, std::size_t j);

/// Of one head: [m, e] and [n, e].
struct QueriesAndKeys {
  Matrix queries;
  Matrix keys;
};

/// q_i · K_c + k_j · Q_c for c = relative_column(i, j), as far as there are such terms: [m, n].
Matrix relative_products(const RelativePositions& positions, const QueriesAndKeys& head,
                         const QueriesAndKeys& embeddings);

/// x [n, d] with the weight [d, d / groups, kernel], kernel odd; zeros outside of x. [n, d].
Matrix convolved(const Matrix& x, const Tensor& weight, const Row& bias);

}  // namespace headlight::reference
